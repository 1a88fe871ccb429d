// expect: true
// inputs: 70
// A hexadecimal digit is a digit or one of six letters.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127 || !isxdigit(c))
        return 0;
    if (c == 'g' || c == '/')
        reach_error();
    return 0;
}
