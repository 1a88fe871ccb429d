// expect: true
// property: valid-deref
// inputs: 123456789
// Any number fits, and its end can be read.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char b[16];
    int n = snprintf(b, sizeof b, "%d", __VERIFIER_nondet_int());
    return b[n];
}
