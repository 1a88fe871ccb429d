// expect: true or unknown
// quick_exit does not run what atexit was given.
#include <stdlib.h>
extern void reach_error(void);

static void at_end(void)
{
    reach_error();
}
int main(void)
{
    atexit(at_end);
    quick_exit(0);
}
