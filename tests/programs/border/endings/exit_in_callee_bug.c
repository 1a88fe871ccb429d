// expect: false
// inputs: 2
// exit is called for another number only.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int n)
{
    if (n == 3)
        exit(1);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    check(n);
    if (n == 2)
        reach_error();
    return 0;
}
