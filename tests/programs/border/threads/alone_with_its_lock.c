// expect: true or unknown
// gcc: -pthread
// Locks in a program of one thread change nothing between them.
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    int value = 1;
    if (pthread_mutex_lock(&lock) != 0)
        return 0;
    value++;
    if (value != 2)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}
