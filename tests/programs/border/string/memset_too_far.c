// expect: true
// property: valid-deref
// inputs: 9
// As much is cleared as there is.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char v[8];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 8)
        return 0;
    memset(v, 0, (size_t)n);
    return 0;
}
