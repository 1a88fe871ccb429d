// expect: true
// Nothing is allocated.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a[3] = { 1, 2, 3 };
    return a[__VERIFIER_nondet_uint() & 1];
}
