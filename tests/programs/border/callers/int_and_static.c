// expect: true
// options: --entry f
// Nobody else can name a static variable whose address never leaves.
extern void reach_error(void);
static int count;

void f(int *p)
{
    if (!p)
        return;
    count = 1;
    *p = 2;
    if (count != 1)
        reach_error();
}
