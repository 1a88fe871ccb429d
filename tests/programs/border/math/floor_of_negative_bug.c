// expect: false
// inputs: -2.5
// floor goes down: it is not what trunc gives.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > -10 && x < 10))
        return 0;
    if (floor(x) != trunc(x))
        reach_error();
    return 0;
}
