// expect: false
// inputs: nan
// What is no number is not equal to the greater of it and itself.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (fmax(x, x) != x)
        reach_error();
    return 0;
}
