// expect: false
// A block is freed twice.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(4);
    free(p);
    if (__VERIFIER_nondet_int() == 3)
        free(p); // bad
    return 0;
}
