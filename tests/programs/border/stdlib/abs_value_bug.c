// expect: false
// inputs: -5
// The absolute value of minus five is five.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 1000)
        return 0;
    if (abs(n) == 5 && n < 0)
        reach_error();
    return 0;
}
