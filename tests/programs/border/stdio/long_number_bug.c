// expect: false
// property: valid-deref
// bits: 64
// inputs: -9223372036854775808
// Twenty bytes do not hold the smallest long of 64 bits.
#include <stdio.h>
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    char to[20];
    sprintf(to, "%ld", __VERIFIER_nondet_long());
    return to[0];
}
