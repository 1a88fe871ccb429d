// expect: true
// property: valid-memcleanup
// inputs: 3
// The block is freed before the assertion.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    int n = __VERIFIER_nondet_int();
    free(p);
    assert(n != 3);
    return 0;
}
