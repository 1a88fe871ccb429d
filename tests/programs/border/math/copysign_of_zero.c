// expect: true
// inputs: -0.0
// copysign takes the sign of a zero, too.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x != 0)
        return 0;
    if (copysign(2.0, x) != (signbit(x) ? -2.0 : 2.0))
        reach_error();
    return 0;
}
