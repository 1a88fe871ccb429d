// expect: false or unknown
// A copy of the list begins where the list was, not at the start.
#include <stdarg.h>
extern void reach_error(void);

static int take(int n, ...)
{
    int first, second, again;
    va_list list, copy;
    va_start(list, n);
    first = va_arg(list, int);
    va_copy(copy, list);
    second = va_arg(list, int);
    again = va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return first * 100 + second * 10 + again;
}
int main(void)
{
    if (take(2, 1, 2) != 121)
        reach_error();
    return 0;
}
