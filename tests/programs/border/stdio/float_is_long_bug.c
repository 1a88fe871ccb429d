// expect: false or unknown
// property: valid-deref
// A large number has hundreds of digits in front of the point.
#include <stdio.h>

int main(void)
{
    char to[32];
    sprintf(to, "%.3f", 1e300);
    return to[0];
}
