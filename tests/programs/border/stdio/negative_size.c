// expect: true
// property: valid-deref
// inputs: 0
// What is left is counted without a sign change.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char to[4];
    int used = 6;
    if (__VERIFIER_nondet_int() != 0)
        used = 1;
    if (used > 4)
        return 0;
    snprintf(to, (size_t)(4 - used), "%s", "abcdef");
    return 0;
}
