// expect: false or unknown
// inputs: 1, 10
// gcc: -frounding-math -msse2 -mfpmath=sse
// In another rounding mode the quotient is another number.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), usual, other;
    if (a != 1 || b != 10)
        return 0;
    usual = a / b;
    if (fesetround(FE_DOWNWARD) != 0)
        return 0;
    other = a / b;
    fesetround(FE_TONEAREST);
    if (usual != other)
        reach_error();
    return 0;
}
