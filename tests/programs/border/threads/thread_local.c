// expect: true or unknown
// gcc: -pthread
// Each thread has its own copy: the starter's stays as it was.
#include <pthread.h>
extern void reach_error(void);
static _Thread_local int mine = 1;

static void *worker(void *unused)
{
    mine = 2;
    return unused;
}
int main(void)
{
    pthread_t id;
    if (pthread_create(&id, 0, worker, 0) != 0)
        return 0;
    pthread_join(id, 0);
    if (mine != 1)
        reach_error();
    return 0;
}
