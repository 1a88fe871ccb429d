// expect: false
// A char behind the dots is an int, with its sign.
#include <stdarg.h>
extern void reach_error(void);

static int take(int n, ...)
{
    double x;
    int c;
    va_list list;
    va_start(list, n);
    x = va_arg(list, double);
    c = va_arg(list, int);
    va_end(list);
    return x == 0.5 ? c : 0;
}
int main(void)
{
    signed char c = -3;
    if (take(2, 0.5f, c) == -3)
        reach_error();
    return 0;
}
