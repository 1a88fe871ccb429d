// expect: true
// inputs: -3.25
// modf splits a number exactly.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double whole = 9, rest, x = __VERIFIER_nondet_double();
    if (!(x == -3.25))
        return 0;
    rest = modf(x, &whole);
    if (whole != -3 || rest != -0.25)
        reach_error();
    return 0;
}
