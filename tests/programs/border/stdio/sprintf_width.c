// expect: true
// property: valid-deref
// A width is the least that is written.
#include <stdio.h>

int main(void)
{
    char to[5];
    sprintf(to, "%4d", 1234);
    return to[0];
}
