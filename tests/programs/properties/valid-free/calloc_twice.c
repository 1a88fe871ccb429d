// expect: false
// Blocks of calloc are freed once.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int *p = calloc(3, sizeof *p);
    if (p[__VERIFIER_nondet_uint() & 1] == 0)
        free(p);
    free(p); // bad
    return 0;
}
