// expect: false
// property: valid-deref
// inputs: -2147483648
// Eleven bytes do not hold the smallest int: a sign, ten digits, and the terminator.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char to[11];
    sprintf(to, "%d", __VERIFIER_nondet_int());
    return to[0];
}
