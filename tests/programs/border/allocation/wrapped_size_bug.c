// expect: false or unknown
// property: valid-deref
// bits: 64
// inputs: 4611686018427387905
// The size wraps round when it is multiplied: a small block for many numbers.
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
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
