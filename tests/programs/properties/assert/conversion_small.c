// expect: true
// Small numbers survive it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    char c = (char)a;
    assert(c == a || a > 127 || a < -128);
    return 0;
}
