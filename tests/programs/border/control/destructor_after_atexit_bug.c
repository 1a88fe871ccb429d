// expect: false or unknown
// What atexit was given has run before the destructor, not after it.
#include <stdlib.h>
extern void reach_error(void);
static int state;

static void at_end(void)
{
    state = 1;
}
__attribute__((destructor)) static void check(void)
{
    if (state == 1)
        reach_error();
}
int main(void)
{
    atexit(at_end);
    return 0;
}
