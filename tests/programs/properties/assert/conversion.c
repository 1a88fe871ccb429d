// expect: false
// The conversion to a char loses bits.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    char c = (char)a;
    assert(c == a || a > 300 || a < -300); // bad
    return 0;
}
