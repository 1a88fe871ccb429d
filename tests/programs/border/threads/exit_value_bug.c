// expect: false or unknown
// gcc: -pthread
// pthread_exit gives the joiner the pointer, which is taken for null.
#include <pthread.h>
extern void reach_error(void);
static int cell = 1;

static void *leave(void *unused)
{
    pthread_exit(&cell);
    return unused;
}
int main(void)
{
    pthread_t id;
    void *got = 0;
    if (pthread_create(&id, 0, leave, 0) != 0)
        return 0;
    pthread_join(id, &got);
    if (got == &cell)
        reach_error();
    return 0;
}
