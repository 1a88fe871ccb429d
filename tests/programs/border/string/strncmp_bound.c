// expect: true
// property: valid-deref
// strncmp reads no more than it is told.
#include <string.h>

int main(void)
{
    char a[3] = {'a', 'b', 'c'}, b[3] = {'a', 'b', 'c'};
    return strncmp(a, b, 3);
}
