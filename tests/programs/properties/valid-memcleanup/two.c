// expect: false (not native)
// One of two blocks is left.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(1), *q = malloc(2);
    free(__VERIFIER_nondet_int() ? p : q);
    return 0;
} // bad
