// expect: true or unknown
// property: valid-deref
// inputs: 0
// A pointer is printed as a text only if it is one.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *text = __VERIFIER_nondet_int() ? "yes" : 0;
    if (text)
        printf("%s\n", text);
    return 0;
}
