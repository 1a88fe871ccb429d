// expect: true
// Every lock is released.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int held;
static void lock(void)
{
    assert(!held);
    held = 1;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    lock();
    held = 0;
    if (a != 9)
        lock();
    return 0;
}
