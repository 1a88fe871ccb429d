// expect: false or unknown
// property: no-overflow
// inputs: -2147483648
// The smallest number has no absolute value.
#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return abs(n) > 5;
}
