// expect: false
// inputs: -1
// The root of a negative number is no number.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double root, x = __VERIFIER_nondet_double();
    if (!(x == 4 || x == -1))
        return 0;
    root = sqrt(x);
    if (root != root)
        reach_error();
    return 0;
}
