// expect: false or unknown
// inputs: 8
// ffs counts bits from one.
#include <strings.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n != 8 && n != 0)
        return 0;
    if (ffs(n) == 4)
        reach_error();
    return 0;
}
