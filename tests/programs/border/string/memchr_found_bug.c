// expect: false
// property: valid-deref
// memchr does not find the byte and goes on.
#include <string.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', 'd'};
    return memchr(v, 'x', 100) == v;
}
