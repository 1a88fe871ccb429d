// expect: false or unknown
// abort raises a signal, and its handler runs first.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);

static void handler(int number)
{
    (void)number;
    reach_error();
}
int main(void)
{
    signal(SIGABRT, handler);
    abort();
}
