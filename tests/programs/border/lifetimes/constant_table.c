// expect: true
// property: valid-deref
// inputs: 2
// A table that is not constant is sorted by hand.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int table[3] = {3, 2, 1};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2)
        return 0;
    memcpy((int *)table + n, &n, sizeof n);
    return table[0] == 4;
}
