// expect: false
// property: valid-deref
// memcmp may read as far as it is told, behind the first difference as well.
#include <string.h>

int main(void)
{
    char a[4] = {'a', 'b', 'c', 'd'}, b[4] = {'x', 'b', 'c', 'd'};
    return memcmp(a, b, 8) == 0;
}
