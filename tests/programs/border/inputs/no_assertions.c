// expect: true
// inputs: 1
// With NDEBUG an assertion is not evaluated, neither are its side effects.
#define NDEBUG
#include <assert.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), m = n;
    if (n != 1)
        return 0;
    assert(n++ > 5);
    if (n != m)
        reach_error();
    return 0;
}
