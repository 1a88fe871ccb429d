// expect: true
// property: valid-deref
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// strnlen reads no more than it is told.
#include <string.h>

int main(void)
{
    char v[3] = {'a', 'b', 'c'};
    return (int)strnlen(v, sizeof v);
}
