// expect: false
// property: no-div-zero
// inputs: 0
// ldiv divides as the operator does, by zero as well.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int by = __VERIFIER_nondet_int();
    return (int)ldiv(100, by).quot;
}
