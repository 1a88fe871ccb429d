// expect: true
// The library's square root of a constant.

#include <math.h>

extern void reach_error(void);

int main(void)
{
    double root = sqrt(4.0);
    if (root != 2.0)
        reach_error();
    return 0;
}
