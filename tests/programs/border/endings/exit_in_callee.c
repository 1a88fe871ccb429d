// expect: true
// inputs: 2
// exit in a function ends the program, not the function.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int n)
{
    if (n == 2)
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
