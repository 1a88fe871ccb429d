// expect: false
// One value of many fails.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    assert(a != 4711); // bad
    return 0;
}
