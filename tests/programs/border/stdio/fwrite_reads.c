// expect: true
// property: valid-deref
// As much is written as there is.
#include <stdio.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', '\n'};
    return fwrite(v, 1, 4, stdout) == 0;
}
