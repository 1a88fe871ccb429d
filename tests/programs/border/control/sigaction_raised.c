// expect: true or unknown
// With SIG_IGN nothing is called.
#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
static int calls;

static void handler(int number)
{
    (void)number;
    calls++;
}
int main(void)
{
    struct sigaction act = {0};
    act.sa_handler = calls ? handler : SIG_IGN;
    if (sigaction(SIGUSR2, &act, 0) != 0)
        return 0;
    kill(getpid(), SIGUSR2);
    if (calls > 0)
        reach_error();
    return 0;
}
