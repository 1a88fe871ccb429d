// expect: true
// All calls keep to it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void positive(int x)
{
    assert(x > 0);
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    positive(5);
    if (a > 10)
        positive(a - 10);
    return 0;
}
