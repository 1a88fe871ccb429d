// expect: true
// Both blocks are freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(4), *q = 0;
    if (__VERIFIER_nondet_int() == 3)
        q = malloc(4);
    free(p);
    free(q);
    return 0;
}
