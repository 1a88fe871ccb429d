// expect: false or unknown
// inputs: 2.9
// lround rounds to the nearest.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > 2.5 && x < 3))
        return 0;
    if (lround(x) == 3)
        reach_error();
    return 0;
}
