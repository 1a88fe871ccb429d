// expect: false or unknown
// inputs: 2
// Nobody jumps; the error behind setjmp is there all the same.
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
        n = 2;
    if (n == 2)
        reach_error();
    return 0;
}
