// expect: true
// inputs: 53
// isdigit says no with zero, and yes with something else.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127)
        return 0;
    if (isdigit(c) && (c < '0' || c > '9'))
        reach_error();
    return 0;
}
