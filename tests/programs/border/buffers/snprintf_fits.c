// expect: true
// property: valid-deref
// inputs: -2000000000
// A number is printed into a buffer.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", __VERIFIER_nondet_int());
    return text[n];
}
