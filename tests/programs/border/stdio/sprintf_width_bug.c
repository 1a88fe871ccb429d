// expect: false
// property: valid-deref
// A width is the least that is written: the number is longer.
#include <stdio.h>

int main(void)
{
    char to[5];
    sprintf(to, "%4d", 12345);
    return to[0];
}
