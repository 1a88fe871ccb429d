// expect: true or unknown
// A signal without a handler ends the program before the error.
#include <signal.h>
extern void reach_error(void);

int main(void)
{
    raise(SIGTERM);
    reach_error();
    return 0;
}
