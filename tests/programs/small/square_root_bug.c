// expect: false
// The library's square root of a constant is not its half plus a bit.

#include <math.h>

extern void reach_error(void);

int main(void)
{
    double root = sqrt(4.0);
    if (root < 2.5)
        reach_error();
    return 0;
}
