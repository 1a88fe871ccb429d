// expect: false
// property: valid-deref
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// strlen reads on until there is a terminator.
#include <string.h>

int main(void)
{
    char v[3] = {'a', 'b', 'c'};
    return (int)strlen(v);
}
