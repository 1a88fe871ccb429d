// expect: true
// A function that is registered twice runs twice.
#include <stdlib.h>
extern void reach_error(void);
static int runs;

static void count(void)
{
    runs++;
    if (runs > 2)
        reach_error();
}
int main(void)
{
    atexit(count);
    atexit(count);
    return 0;
}
