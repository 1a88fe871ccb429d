// expect: false
// The library divides.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    div_t d = div(100, a); // bad
    return d.quot;
}
