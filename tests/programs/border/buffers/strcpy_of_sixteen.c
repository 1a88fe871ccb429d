// expect: true
// property: valid-deref
// inputs: 97 97 97 97 97 97 97 97 97 97 97 97 97 97 97
// A text of up to fifteen letters is copied.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char from[16], to[16];
    for (int i = 0; i < 15; i++)
        from[i] = __VERIFIER_nondet_char();
    from[15] = 0;
    strcpy(to, from);
    return to[0];
}
