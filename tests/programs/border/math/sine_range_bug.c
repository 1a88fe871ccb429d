// expect: false or unknown
// inputs: 0
// The sine of zero is zero.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x != 0)
        return 0;
    if (sin(x) == 0 && cos(x) == 1)
        reach_error();
    return 0;
}
