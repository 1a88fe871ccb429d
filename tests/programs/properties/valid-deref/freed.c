// expect: false
// A read after the block is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p), x;
    *p = 4;
    if (__VERIFIER_nondet_int() == 3)
        free(p);
    x = *p; // bad
    return x;
}
