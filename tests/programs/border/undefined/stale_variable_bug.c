// expect: false or unknown
// rests on: accesses stay inside of objects that live
// The place of a variable that ended is another's now.
extern void reach_error(void);
static int *kept;

__attribute__((noinline)) static void keep(void)
{
    volatile int x = 3;
    kept = (int *)&x;
}
__attribute__((noinline)) static int other(int n)
{
    volatile int y = n, z = n;
    return y + z;
}
int main(void)
{
    keep();
    other(7);
    if (*kept != 3)
        reach_error();
    return 0;
}
