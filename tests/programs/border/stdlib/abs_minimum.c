// expect: true
// property: no-overflow
// inputs: -2147483648
// The smallest number has no absolute value, and is asked for.
#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == INT_MIN)
        return 0;
    return abs(n) > 5;
}
