// expect: true
// A loop whose invariant is an equation.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
    while (i < n) {
        i++;
        j++;
    }
    assert(i == j);
    return 0;
}
