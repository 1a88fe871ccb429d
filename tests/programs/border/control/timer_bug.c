// expect: false or unknown
// The timer runs out, and its handler is called in the middle.
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
    if (fired && mine)
        reach_error();
    return 0;
}
