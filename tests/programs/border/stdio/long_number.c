// expect: true
// property: valid-deref
// bits: 64
// inputs: -9223372036854775808
// Twenty-one bytes hold every long of 64 bits.
#include <stdio.h>
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    char to[21];
    sprintf(to, "%ld", __VERIFIER_nondet_long());
    return to[0];
}
