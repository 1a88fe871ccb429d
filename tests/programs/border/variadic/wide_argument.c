// expect: true or unknown
// bits: 64
// A long is taken where a long was given.
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
    if (take(1, -1L) != -1)
        reach_error();
    return 0;
}
