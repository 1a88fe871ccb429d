// expect: true
// property: valid-deref
// memchr looks at no byte behind the count.
#include <string.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', 'd'};
    return memchr(v, 'x', 4) != 0;
}
