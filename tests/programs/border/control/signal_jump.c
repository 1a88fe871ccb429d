// expect: true or unknown
// options: -D _GNU_SOURCE
// gcc: -D_GNU_SOURCE
// siglongjmp out of a handler: what stands behind raise is not reached.
#include <setjmp.h>
#include <signal.h>
extern void reach_error(void);
static sigjmp_buf out;

static void handler(int number)
{
    siglongjmp(out, number);
}
int main(void)
{
    if (sigsetjmp(out, 1) == 0) {
        signal(SIGUSR1, handler);
        raise(SIGUSR1);
        reach_error();
    }
    return 0;
}
