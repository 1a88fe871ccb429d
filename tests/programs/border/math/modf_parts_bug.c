// expect: false
// inputs: -3.25
// modf writes the whole part to its second argument.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double whole = 9, rest, x = __VERIFIER_nondet_double();
    if (!(x == -3.25))
        return 0;
    rest = modf(x, &whole);
    if (whole != 9)
        reach_error();
    return 0;
}
