// expect: false
// The function is called with something else once.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void positive(int x)
{
    assert(x > 0); // bad
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    positive(5);
    if (a > 10)
        positive(a - 11);
    return 0;
}
