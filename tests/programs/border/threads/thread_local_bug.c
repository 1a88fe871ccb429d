// expect: false or unknown
// gcc: -pthread
// Each thread has its own copy: the starter does not see what the thread wrote.
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
    if (mine != 2)
        reach_error();
    return 0;
}
