// expect: false
// The one that is registered last runs first, and sees what is not yet made.
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
    atexit(first);
    atexit(second);
    return 0;
}
