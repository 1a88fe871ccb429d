// expect: true or unknown
// main's variables are cleaned up before the functions of atexit run.
#include <stdlib.h>
extern void reach_error(void);
static int cleaned;

static void clean(int *at)
{
    cleaned = *at;
}
static void at_end(void)
{
    if (cleaned != 4)
        reach_error();
}
int main(void)
{
    __attribute__((cleanup(clean))) int x = 4;
    atexit(at_end);
    return 0;
}
