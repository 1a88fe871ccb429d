// expect: false
// An early return leaves the block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int() == 1)
        return 1;
    free(p);
    return 0;
} // bad
