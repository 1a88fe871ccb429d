// expect: true
// Functions of atexit run in the opposite order of their registration.
#include <stdlib.h>
extern void reach_error(void);
static int stage;

static void first(void)
{
    stage = 1;
}
static void second(void)
{
    if (stage != 1)
        reach_error();
}
int main(void)
{
    atexit(second);
    atexit(first);
    return 0;
}
