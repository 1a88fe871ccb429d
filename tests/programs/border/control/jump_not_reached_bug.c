// expect: false
// inputs: 7
// The jump stands on a path that is never taken, the error on another.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf back;

static void check(int n)
{
    if (n > 10)
        longjmp(back, 1);
    if (n == 7)
        reach_error();
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 10)
        check(n);
    return 0;
}
