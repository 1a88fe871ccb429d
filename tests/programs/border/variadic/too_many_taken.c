// expect: true or unknown
// property: valid-deref
// The last argument says where the list ends.
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
    take(3, 2, 0);
    return sink;
}
