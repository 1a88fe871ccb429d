// expect: false or unknown
// What a constructor registered runs last, and sees what main's has done.
#include <stdlib.h>
extern void reach_error(void);
static int state;

static void late(void)
{
    if (state == 1)
        reach_error();
}
static void early(void)
{
    state = 1;
}
__attribute__((constructor)) static void enrol(void)
{
    atexit(late);
}
int main(void)
{
    atexit(early);
    return 0;
}
