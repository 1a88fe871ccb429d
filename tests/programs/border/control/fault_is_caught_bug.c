// expect: false or unknown
// A null pointer is read, and the handler is called.
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
    return *nothing;
}
