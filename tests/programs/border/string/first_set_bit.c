// expect: true or unknown
// inputs: 8
// ffs counts bits from one, and gives zero for zero.
#include <strings.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n != 8 && n != 0)
        return 0;
    if (ffs(n) != (n ? 4 : 0))
        reach_error();
    return 0;
}
