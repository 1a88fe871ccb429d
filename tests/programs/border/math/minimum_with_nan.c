// expect: true
// inputs: nan
// fmin takes the number and leaves what is no number.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!isnan(x))
        return 0;
    if (fmin(x, 2.0) != 2.0)
        reach_error();
    return 0;
}
