// expect: false or unknown
// gcc: -pthread
// A lock that is held cannot be had by trylock.
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    int value = 1;
    if (pthread_mutex_lock(&lock) != 0)
        return 0;
    value++;
    if (value == 2 && pthread_mutex_trylock(&lock) != 0)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}
