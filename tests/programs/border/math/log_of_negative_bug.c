// expect: false or unknown
// inputs: -1
// The logarithm of a negative number is no number.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y;
    if (x != -1)
        return 0;
    y = log(x);
    if (isnan(y))
        reach_error();
    return 0;
}
