// expect: true
// property: valid-deref
// inputs: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 17
// Up to 16 bytes of 16 are copied.
#include <string.h>
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char b[16], to[16];
    for (int i = 0; i < 16; i++)
        b[i] = __VERIFIER_nondet_char();
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 16)
        return 0;
    memcpy(to, b, n);
    return n ? to[n - 1] : 0;
}
