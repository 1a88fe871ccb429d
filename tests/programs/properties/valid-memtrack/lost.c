// expect: false
// The only pointer to a block is overwritten.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(4);
    if (__VERIFIER_nondet_int() == 3)
        p = malloc(4);
    free(p);
    return 0;
} // bad
