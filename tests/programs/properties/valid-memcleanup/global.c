// expect: false (not native)
// The block is still there at the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *p;
int main(void)
{
    p = malloc(10);
    if (__VERIFIER_nondet_int())
        free(p);
    return 0;
} // bad
