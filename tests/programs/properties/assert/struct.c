// expect: false
// A copy is no alias.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int a, b; };
int main(void)
{
    struct pair p = { 1, 2 }, q = p;
    q.b = __VERIFIER_nondet_int();
    assert(p.b == q.b); // bad
    return 0;
}
