// expect: true
// property: valid-deref
// snprintf is told the size that is left.
#include <stdio.h>

int main(void)
{
    char to[8];
    to[0] = '<';
    snprintf(to + 4, sizeof to - 4, "%s", "abcdefgh");
    return to[0];
}
