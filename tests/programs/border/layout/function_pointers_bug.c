// expect: false
// A function has one address, wherever it is taken.
extern void reach_error(void);

static int f(void)
{
    return 1;
}
static int g(void)
{
    return 2;
}
int main(void)
{
    int (*a)(void) = f, (*b)(void) = g;
    if (a == f && b != f)
        reach_error();
    return 0;
}
