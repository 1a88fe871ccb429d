// expect: false
// The second lock comes without an unlock.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int held;
static void lock(void)
{
    assert(!held); // bad
    held = 1;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    lock();
    if (a != 9)
        held = 0;
    lock();
    return 0;
}
