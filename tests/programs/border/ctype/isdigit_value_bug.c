// expect: false
// inputs: 53
// isdigit says yes with some number that need not be one.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127)
        return 0;
    if (isdigit(c) != 0 && isdigit(c) != 1)
        reach_error();
    return 0;
}
