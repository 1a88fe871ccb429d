// expect: true or unknown
// A list that is passed on is taken from by the callee.
#include <stdarg.h>
extern void reach_error(void);

static int first(va_list list)
{
    return va_arg(list, int);
}
static int take(int n, ...)
{
    int r;
    va_list list;
    va_start(list, n);
    r = first(list);
    va_end(list);
    return r + n;
}
int main(void)
{
    if (take(1, 6) != 7)
        reach_error();
    return 0;
}
