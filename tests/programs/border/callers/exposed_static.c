// expect: false or unknown
// options: --entry f
// The caller may have got the address of a static variable.
extern void reach_error(void);
static int count;

int *where(void) { return &count; }

void f(int *p)
{
    if (!p)
        return;
    count = 1;
    *p = 2;
    if (count != 1)
        reach_error();
}
