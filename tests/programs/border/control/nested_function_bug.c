// expect: false or unknown
// A nested function writes a variable of the function around it.
extern void reach_error(void);

static void call(void (*f)(void))
{
    f();
}
int main(void)
{
    int n = 0;
    void bump(void)
    {
        n++;
    }
    call(bump);
    if (n == 1)
        reach_error();
    return 0;
}
