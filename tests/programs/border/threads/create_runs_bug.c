// expect: false or unknown
// gcc: -pthread
// The thread that is started runs: what it writes is seen after the join.
#include <pthread.h>
extern void reach_error(void);
static int shared;

static void *worker(void *unused)
{
    shared = 1;
    return unused;
}
int main(void)
{
    pthread_t id;
    if (pthread_create(&id, 0, worker, 0) != 0)
        return 0;
    pthread_join(id, 0);
    if (shared == 1)
        reach_error();
    return 0;
}
