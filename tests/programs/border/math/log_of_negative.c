// expect: true or unknown
// inputs: -1
// The exponential of zero is one.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y;
    if (x != -1)
        return 0;
    y = exp(x + 1);
    if (y != 1)
        reach_error();
    return 0;
}
