// expect: true
// inputs: -7
// div gives quotient and remainder as the operators do.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    div_t parts = div(n, 3);
    if (parts.quot != n / 3 || parts.rem != n % 3)
        reach_error();
    return 0;
}
