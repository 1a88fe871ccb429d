// expect: true or unknown
// longjmp leaves the function: what stands behind it is not reached.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf back;

static void leave(void)
{
    longjmp(back, 3);
    reach_error();
}
int main(void)
{
    int how = setjmp(back);
    if (how == 0)
        leave();
    return 0;
}
