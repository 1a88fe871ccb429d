// expect: false
// property: valid-deref
// inputs: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
// A text of 15 characters does not fit into 15 bytes.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char b[16], to[15];
    for (int i = 0; i < 15; i++)
        b[i] = __VERIFIER_nondet_char();
    b[15] = 0;
    strcpy(to, b);
    return to[0];
}
