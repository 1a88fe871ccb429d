// expect: false or unknown
// property: valid-deref
// bits: 32
// inputs: 1073741825
// With 32 bits a count of a few hundred millions wraps round.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    int *v;
    if (n < 2)
        return 0;
    v = malloc(n * sizeof *v);
    if (!v)
        return 1;
    v[1] = 3;
    free(v);
    return 0;
}
