// expect: false or unknown
// not shown by gcc: what is taken for the missing argument is left open
// A function is called with one argument less than it takes.
extern void reach_error(void);

static int second(int a, int b)
{
    return a == 0 ? b : 0;
}
int main(void)
{
    int (*f)(int) = (int (*)(int))second;
    if (f(0) != 0)
        reach_error();
    return 0;
}
