// expect: false
// The second operand is not computed.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0, a = __VERIFIER_nondet_int();
    if (a > 3 && n++ == 0)
        n++;
    assert(n == 2); // bad
    return 0;
}
