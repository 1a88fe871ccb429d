// expect: true or unknown
// A null pointer is not read.
#include <signal.h>
extern void reach_error(void);
static int *volatile nothing;

static void handler(int number)
{
    (void)number;
    reach_error();
}
int main(void)
{
    signal(SIGSEGV, handler);
    return nothing != 0;
}
