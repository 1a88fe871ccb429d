// expect: false
// Two names for one variable.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void set(int *p, int *q)
{
    *p = 1;
    *q = 2;
    assert(*p == 1); // bad
}
int main(void)
{
    int a, b;
    set(&a, __VERIFIER_nondet_int() == 7 ? &a : &b);
    return 0;
}
