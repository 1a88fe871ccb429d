// expect: true
// Whichever block it is.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4), *q = malloc(8), *r = p;
    if (__VERIFIER_nondet_int())
        r = q;
    free(r);
    return 0;
}
