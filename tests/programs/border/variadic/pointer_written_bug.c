// expect: false
// A pointer behind the dots leads to a variable, which changes.
#include <stdarg.h>
extern void reach_error(void);

static void fill(int value, ...)
{
    int *p;
    va_list list;
    va_start(list, value);
    while ((p = va_arg(list, int *)) != 0)
        *p = value;
    va_end(list);
}
int main(void)
{
    int a = 0, b = 0;
    fill(4, &a, &b, (int *)0);
    if (b != 0)
        reach_error();
    return 0;
}
