// expect: false or unknown
// bits: 64
// not shown by gcc: the upper half of an int argument is left open
// A long is taken where an int was given.
#include <stdarg.h>
extern void reach_error(void);

static long take(int n, ...)
{
    long r;
    va_list list;
    va_start(list, n);
    r = va_arg(list, long);
    va_end(list);
    return r;
}
int main(void)
{
    if (take(1, -1) != -1)
        reach_error();
    return 0;
}
