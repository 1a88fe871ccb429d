// expect: false
// The value that is returned is taken before the cleanup function changes the variable.
extern void reach_error(void);

static void reset(int *at)
{
    *at = 0;
}
static int get(void)
{
    __attribute__((cleanup(reset))) int x = 5;
    return x;
}
int main(void)
{
    if (get() != 0)
        reach_error();
    return 0;
}
