// expect: true
// As many numbers are taken as were given.
#include <stdarg.h>
extern void reach_error(void);

static int weighted(int n, ...)
{
    int i, sum = 0;
    va_list list;
    va_start(list, n);
    for (i = 1; i <= n; i++)
        sum += i * va_arg(list, int);
    va_end(list);
    return sum;
}
int main(void)
{
    if (weighted(2, 10, 1) != 12)
        reach_error();
    return 0;
}
