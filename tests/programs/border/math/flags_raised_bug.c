// expect: false or unknown
// inputs: 0
// A division by zero raises a flag.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y;
    if (x != 0)
        return 0;
    feclearexcept(FE_ALL_EXCEPT);
    y = 1 / x;
    if (fetestexcept(FE_DIVBYZERO) && y != 0)
        reach_error();
    return 0;
}
