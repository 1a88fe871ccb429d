// expect: true
// The pointers are swapped; both are freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(1), *q = malloc(2), *t;
    if (__VERIFIER_nondet_int()) {
        t = p;
        p = q;
        q = t;
    }
    free(p);
    free(q);
    return 0;
}
