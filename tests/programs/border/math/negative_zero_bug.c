// expect: false or unknown
// inputs: -0.5
// ceil of a negative fraction is a negative zero.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > -1 && x < 0))
        return 0;
    if (signbit(ceil(x)))
        reach_error();
    return 0;
}
