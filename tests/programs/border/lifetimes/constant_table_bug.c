// expect: false
// property: valid-deref
// inputs: 2
// shown by: a crash of the program
// A constant table is written by memcpy.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static const int table[3] = {3, 2, 1};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2)
        return 0;
    memcpy((int *)table + n, &n, sizeof n);
    return table[0] == 4;
}
