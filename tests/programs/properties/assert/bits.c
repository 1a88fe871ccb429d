// expect: true
// A number that is a power of two.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x && (x & (x - 1)) == 0)
        assert((x & -x) == x);
    return 0;
}
