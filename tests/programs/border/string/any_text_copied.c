// expect: true
// property: valid-deref
// inputs: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
// A text of up to 15 characters fits into 16 bytes.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char b[16], to[16];
    for (int i = 0; i < 15; i++)
        b[i] = __VERIFIER_nondet_char();
    b[15] = 0;
    strcpy(to, b);
    return to[0];
}
