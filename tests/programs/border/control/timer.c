// expect: true or unknown
// The variable that the handler does not touch stays.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
extern void reach_error(void);
static volatile sig_atomic_t fired;

static void handler(int number)
{
    fired = number;
}
int main(void)
{
    struct itimerval soon = {{0, 0}, {0, 1000}};
    int mine = 1;
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &soon, 0);
    while (!fired)
        pause();
    if (mine != 1)
        reach_error();
    return 0;
}
