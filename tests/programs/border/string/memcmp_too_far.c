// expect: true
// property: valid-deref
// strncmp stops at the first difference.
#include <string.h>

int main(void)
{
    char a[4] = {'a', 'b', 'c', 'd'}, b[4] = {'x', 'b', 'c', 'd'};
    return strncmp(a, b, 8) == 0;
}
