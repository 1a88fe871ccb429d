// expect: true
// options: --entry f
// Types keep them apart.
extern void reach_error(void);
int count;

void f(long *p)
{
    if (!p)
        return;
    count = 1;
    *p = 2;
    if (count != 1)
        reach_error();
}
