// expect: false
// A variable is no block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1, *p = malloc(4), *q = __VERIFIER_nondet_int() ? p : &x;
    free(q); // bad
    return x;
}
