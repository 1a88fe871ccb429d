// expect: true
// inputs: inf
// What is not finite is infinite or no number.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!isfinite(x) && !isinf(x) && !isnan(x))
        reach_error();
    return 0;
}
