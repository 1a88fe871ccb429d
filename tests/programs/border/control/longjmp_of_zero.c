// expect: true or unknown
// longjmp with zero makes setjmp return one, so the loop ends.
#include <setjmp.h>
extern void reach_error(void);

int main(void)
{
    jmp_buf back;
    volatile int rounds = 0;
    int how = setjmp(back);
    if (how == 0) {
        rounds++;
        longjmp(back, 0);
    }
    if (how != 1)
        reach_error();
    return 0;
}
