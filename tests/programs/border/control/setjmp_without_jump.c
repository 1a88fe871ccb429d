// expect: true or unknown
// inputs: 2
// Nobody jumps: setjmp returns zero, once.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    jmp_buf back;
    int n = __VERIFIER_nondet_int();
    if (setjmp(back) != 0)
        n = 2;
    else if (n == 2)
        n = 3;
    if (n == 2)
        reach_error();
    return 0;
}
