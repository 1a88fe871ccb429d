// expect: false or unknown
// property: valid-deref
// not shown by gcc: what is taken in the place of an argument is left open
// The list has no end, and more is taken than was given.
#include <stdarg.h>
static int sink;

static void take(int first, ...)
{
    int n = first;
    va_list list;
    va_start(list, first);
    while (n != 0)
        n = va_arg(list, int);
    va_end(list);
    sink = n;
}
int main(void)
{
    take(3, 2, 1);
    return sink;
}
