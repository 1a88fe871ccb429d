// expect: false or unknown
// inputs: inf
// An infinite number is classified as such.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (fpclassify(x) == FP_INFINITE && isinf(x))
        reach_error();
    return 0;
}
