// expect: true or unknown
// property: valid-deref
// A number is printed with an exponent.
#include <stdio.h>

int main(void)
{
    char to[32];
    sprintf(to, "%.3e", 1e300);
    return to[0];
}
