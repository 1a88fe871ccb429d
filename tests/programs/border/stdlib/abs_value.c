// expect: true
// inputs: -5
// An absolute value is not negative, if the number is not the smallest.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 1000)
        return 0;
    if (abs(n) < 0)
        reach_error();
    return 0;
}
