// expect: false or unknown
// property: valid-deref
// inputs: 0
// A null pointer is printed as a text, which C does not allow; gcc makes puts of it.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *text = __VERIFIER_nondet_int() ? "yes" : 0;
        printf("%s\n", text);
    return 0;
}
