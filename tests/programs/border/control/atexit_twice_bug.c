// expect: false
// A function that is registered twice runs twice, and counts to two.
#include <stdlib.h>
extern void reach_error(void);
static int runs;

static void count(void)
{
    runs++;
    if (runs > 1)
        reach_error();
}
int main(void)
{
    atexit(count);
    atexit(count);
    return 0;
}
