// expect: false
// inputs: -7
// div rounds towards zero: the remainder has the sign of the number.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    div_t parts = div(n, 3);
    if (parts.rem < 0)
        reach_error();
    return 0;
}
