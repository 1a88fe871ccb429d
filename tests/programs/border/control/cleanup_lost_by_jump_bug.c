// expect: false or unknown
// longjmp leaves the block without its cleanup function: the lock stays.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf out;
static int locks;

static void unlock(int *at)
{
    (void)at;
    locks--;
}
static void work(void)
{
    __attribute__((cleanup(unlock))) int held = ++locks;
    longjmp(out, held);
}
int main(void)
{
    if (setjmp(out) == 0)
        work();
    if (locks == 1)
        reach_error();
    return 0;
}
