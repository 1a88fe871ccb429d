// expect: true or unknown
// property: valid-deref
// inputs: -100000000
// A char is made unsigned before isupper is asked.
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    return isupper((unsigned char)c) != 0;
}
