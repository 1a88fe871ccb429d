// expect: false
// property: valid-deref
// inputs: 49 50 51 52 53 54 55
// A number is read, and what stands behind it is looked at.
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[8];
    for (int i = 0; i < 7; i++)
        text[i] = __VERIFIER_nondet_char();
    text[7] = 0;
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || end[1])
        return 1;
    return n > 100;
}
