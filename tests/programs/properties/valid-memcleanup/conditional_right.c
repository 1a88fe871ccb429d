// expect: true
// Freed whatever its size.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() & 15;
    char *p = malloc(n);
    free(p);
    return n;
}
