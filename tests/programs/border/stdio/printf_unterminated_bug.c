// expect: false
// property: valid-deref
// printf reads a text on to its terminator, and there is none.
#include <stdio.h>

int main(void)
{
    char v[3] = {'a', 'b', 'c'};
    printf("%s\n", v);
    return 0;
}
