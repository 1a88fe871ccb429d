// expect: true
// property: valid-deref
// memchr stops where it finds the byte, however large the count.
#include <string.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', 'd'};
    return memchr(v, 'b', 100) == v;
}
