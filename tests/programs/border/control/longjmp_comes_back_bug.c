// expect: false or unknown
// longjmp comes back to setjmp, which then returns what it was given.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf back;

static void leave(void)
{
    longjmp(back, 3);
}
int main(void)
{
    int how = setjmp(back);
    if (how == 0)
        leave();
    if (how == 3)
        reach_error();
    return 0;
}
