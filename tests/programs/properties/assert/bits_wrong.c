// expect: false
// Zero is left out.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if ((x & (x - 1)) == 0)
        assert(x != 0); // bad
    return 0;
}
