// expect: true
// A loop whose invariant is an equation.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = 0, j = 0;
    while (i < 9 && __VERIFIER_nondet_int()) {
        i++;
        j++;
    }
    assert(i == j);
    return 0;
}
