// expect: true
// inputs: -2.5
// floor goes down, trunc towards zero.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > -10 && x < 10))
        return 0;
    if (floor(x) > x)
        reach_error();
    return 0;
}
