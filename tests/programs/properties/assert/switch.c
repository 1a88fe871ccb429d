// expect: false
// A case that falls through.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = 0;
    switch (a) {
    case 3: b = 1;
    case 5: b += 2; break;
    default: b = 2;
    }
    assert(b == 2); // bad
    return 0;
}
