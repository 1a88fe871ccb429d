// expect: false or unknown
// options: --entry f
extern void reach_error(void);

void f(int *p, int *q)
{
    if (!p || !q)
        return;
    *p = 1;
    *q = 2;
    if (*p != 1)
        reach_error();
}
