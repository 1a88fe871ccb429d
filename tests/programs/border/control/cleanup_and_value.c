// expect: true
// The value that is returned is taken before the cleanup function writes.
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
    if (get() != 5)
        reach_error();
    return 0;
}
