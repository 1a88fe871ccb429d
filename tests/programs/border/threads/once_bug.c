// expect: false or unknown
// gcc: -pthread
// What pthread_once calls is called: the counter is not zero.
#include <pthread.h>
extern void reach_error(void);
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int count;

static void start(void)
{
    count++;
}
int main(void)
{
    pthread_once(&control, start);
    pthread_once(&control, start);
    if (count > 0)
        reach_error();
    return 0;
}
