// expect: false
// inputs: 11
// The vertical tab is a space.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c == '\v' && isspace(c))
        reach_error();
    return 0;
}
