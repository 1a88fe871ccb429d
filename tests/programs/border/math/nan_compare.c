// expect: true
// inputs: nan
// fmax of two numbers is one of them, or neither is a number.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!isnan(x) && fmax(x, x) != x)
        reach_error();
    return 0;
}
