// expect: true or unknown
// gcc: -pthread
// call_once has set the limit before it is used.
#include <threads.h>
extern void reach_error(void);
static once_flag flag = ONCE_FLAG_INIT;
static int limit;

static void set(void)
{
    limit = 10;
}
int main(void)
{
    call_once(&flag, set);
    if (limit != 10)
        reach_error();
    return 0;
}
