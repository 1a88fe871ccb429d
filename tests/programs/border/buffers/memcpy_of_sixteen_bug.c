// expect: false
// property: valid-deref
// inputs: 17
// As many bytes are copied as an input says.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char from[16] = "fifteen letters", to[16];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > sizeof to + 1)
        return 0;
    memcpy(to, from, n);
    return 0;
}
