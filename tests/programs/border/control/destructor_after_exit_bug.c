// expect: false
// inputs: 4
// A destructor runs after exit, too.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int busy;

__attribute__((destructor)) static void check(void)
{
    if (busy)
        reach_error();
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    busy = 1;
    if (n == 4) {
        exit(0);
    }
    busy = 0;
    return 0;
}
