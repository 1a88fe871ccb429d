// expect: true or unknown
// inputs: 1, 10
// gcc: -frounding-math -msse2 -mfpmath=sse
// The mode is set back before the division.
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
    fesetround(FE_TONEAREST);
    other = a / b;
    fesetround(FE_TONEAREST);
    if (usual != other)
        reach_error();
    return 0;
}
