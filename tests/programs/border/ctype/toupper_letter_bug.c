// expect: false
// inputs: 98
// toupper makes a capital letter of b.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127)
        return 0;
    if (toupper(c) == 'B' && c != 'B')
        reach_error();
    return 0;
}
