// expect: true
// property: valid-deref
// inputs: 97 97 97 97 97 97 97 97 97 97 97 97 97 97 97
// A text of up to fifteen letters is measured.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[16];
    for (int i = 0; i < 15; i++)
        text[i] = __VERIFIER_nondet_char();
    text[15] = 0;
    return text[strlen(text)];
}
