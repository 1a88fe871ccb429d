// expect: false or unknown: two addresses are compared after one block was freed
// One of two is freed, and the other one lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(1), *q = malloc(2);
    if (__VERIFIER_nondet_int() == 11)
        p = q;
    free(q);
    if (p != q)
        free(p);
    return 0;
} // bad
