// expect: false
// Freed only if it is large.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() & 15;
    char *p = malloc(n);
    if (n > 3)
        free(p);
    return 0;
} // bad
