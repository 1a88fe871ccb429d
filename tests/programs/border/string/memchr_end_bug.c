// expect: false
// property: valid-deref
// memchr looks for a letter that is not there, one byte too far.
#include <string.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', 'd'};
    return memchr(v, 'x', 5) != 0;
}
