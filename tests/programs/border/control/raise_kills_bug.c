// expect: false or unknown
// A signal that is ignored does not end the program.
#include <signal.h>
extern void reach_error(void);

int main(void)
{
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    reach_error();
    return 0;
}
