// expect: false or unknown
// The handler has run when raise returns, and left its mark.
#include <signal.h>
extern void reach_error(void);
static volatile sig_atomic_t seen;

static void handler(int number)
{
    seen = number;
}
int main(void)
{
    if (signal(SIGUSR1, handler) == SIG_ERR)
        return 0;
    raise(SIGUSR1);
    if (seen == SIGUSR1)
        reach_error();
    return 0;
}
