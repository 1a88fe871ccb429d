// expect: true or unknown
// A function is called by its own type.
extern void reach_error(void);

static int second(int a, int b)
{
    return a == 0 ? b : 0;
}
int main(void)
{
    int (*f)(int, int) = second;
    if (f(0, 5) != 5)
        reach_error();
    return 0;
}
