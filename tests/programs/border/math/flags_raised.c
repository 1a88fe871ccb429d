// expect: true or unknown
// inputs: 0
// Flags that were cleared are clear.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y;
    if (x != 0)
        return 0;
    feclearexcept(FE_ALL_EXCEPT);
    y = x + 1;
    if (fetestexcept(FE_DIVBYZERO) && y != 0)
        reach_error();
    return 0;
}
