// expect: true or unknown
// A function of atexit registers another, which runs as well.
#include <stdlib.h>
extern void reach_error(void);
static int steps;

static void later(void)
{
    if (steps != 1)
        reach_error();
}
static void sooner(void)
{
    steps++;
    atexit(later);
}
int main(void)
{
    atexit(sooner);
    return 0;
}
