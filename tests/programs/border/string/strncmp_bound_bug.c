// expect: false
// property: valid-deref
// strncmp is told of one byte too many, and all before are equal.
#include <string.h>

int main(void)
{
    char a[3] = {'a', 'b', 'c'}, b[3] = {'a', 'b', 'c'};
    return strncmp(a, b, 4);
}
