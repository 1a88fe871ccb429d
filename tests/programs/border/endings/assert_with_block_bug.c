// expect: false
// property: valid-memcleanup
// inputs: 3
// A failed assertion ends the program while a block is allocated.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    int n = __VERIFIER_nondet_int();
    assert(n != 3);
    free(p);
    return 0;
}
