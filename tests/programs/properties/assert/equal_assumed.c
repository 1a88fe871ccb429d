// expect: true
// The value is excluded.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    __VERIFIER_assume(a < 4711);
    assert(a != 4711);
    return 0;
}
