// expect: false
// property: valid-deref
// inputs: 123456789
// The text is longer than its room: what is returned is no index.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char b[8];
    int n = snprintf(b, sizeof b, "%d", __VERIFIER_nondet_int());
    return b[n];
}
