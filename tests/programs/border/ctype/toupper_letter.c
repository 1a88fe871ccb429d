// expect: true
// inputs: 98
// toupper leaves what is no small letter.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127)
        return 0;
    if (!islower(c) && toupper(c) != c)
        reach_error();
    return 0;
}
