// expect: true
// Only assertions count for this property.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

extern void reach_error(void);
int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a == 3)
        reach_error();
    assert(a * 0 == 0);
    return 0;
}
