// expect: true or unknown
// gcc: -pthread
// A thread writes the local variable that it was given.
#include <pthread.h>
extern void reach_error(void);

static void *put(void *at)
{
    *(int *)at = 7;
    return 0;
}
int main(void)
{
    int slot = 3;
    pthread_t id;
    if (pthread_create(&id, 0, put, &slot) == 0) {
        pthread_join(id, 0);
        if (slot == 3)
            reach_error();
    }
    return 0;
}
