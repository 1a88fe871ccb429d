// expect: false
// property: valid-deref
// More is written than there is.
#include <stdio.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', '\n'};
    return fwrite(v, 1, 5, stdout) == 0;
}
