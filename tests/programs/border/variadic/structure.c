// expect: true or unknown
// A structure behind the dots arrives whole.
#include <stdarg.h>
extern void reach_error(void);
struct three {
    int a, b, c;
};

static int take(int n, ...)
{
    struct three t;
    va_list list;
    va_start(list, n);
    t = va_arg(list, struct three);
    va_end(list);
    return t.a + t.b + t.c;
}
int main(void)
{
    struct three t = {1, 2, 4};
    if (take(1, t) != 7)
        reach_error();
    return 0;
}
