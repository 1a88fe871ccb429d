// expect: false
// abs of the minimum.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    return abs(a) > 3; // bad
}
