// expect: true or unknown
// inputs: 0
// A sine is never above one.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x != 0)
        return 0;
    if (sin(x) > 1 || cos(x) > 1)
        reach_error();
    return 0;
}
