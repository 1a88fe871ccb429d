// expect: false or unknown
// options: --entry f
// A caller may pass the address of a global.
extern void reach_error(void);
int count;

void f(int *p)
{
    if (!p)
        return;
    count = 1;
    *p = 2;
    if (count != 1)
        reach_error();
}
