// expect: true or unknown
// abort ends the program.
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
    signal(SIGTERM, handler);
    abort();
}
