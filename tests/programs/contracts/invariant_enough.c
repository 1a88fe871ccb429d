// expect: true
// options: --property unreach-call
// The squares are not linear: the invariant is what no test has in common with simple relations.
#include "prova.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned bound = __VERIFIER_nondet_uchar();
    unsigned i = 0, square = 0, odd = 1;
    while (i < bound) {
        prova_invariant(square == i * i && odd == 2 * i + 1);
        square += odd;
        odd += 2;
        i++;
    }
    assert(square == i * i);
    return 0;
}
