// expect: false
// property: valid-deref
// snprintf is told the size of the whole buffer, behind whose beginning it writes.
#include <stdio.h>

int main(void)
{
    char to[8];
    to[0] = '<';
    snprintf(to + 4, sizeof to, "%s", "abcdefgh");
    return to[0];
}
