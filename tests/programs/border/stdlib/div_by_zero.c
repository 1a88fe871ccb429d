// expect: true
// property: no-div-zero
// inputs: 0
// The divisor of ldiv is asked.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int by = __VERIFIER_nondet_int();
    if (by == 0)
        return 0;
    return (int)ldiv(100, by).quot;
}
