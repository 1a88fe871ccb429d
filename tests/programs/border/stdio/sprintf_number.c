// expect: true
// property: valid-deref
// inputs: -2147483648
// Twelve bytes hold every int.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char to[12];
    sprintf(to, "%d", __VERIFIER_nondet_int());
    return to[0];
}
