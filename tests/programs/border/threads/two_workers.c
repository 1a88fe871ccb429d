// expect: true or unknown
// gcc: -pthread
// Two threads, one after the other, add what they were told to.
#include <pthread.h>
extern void reach_error(void);
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *amount)
{
    pthread_mutex_lock(&lock);
    total += *(int *)amount;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    int one = 1, two = 2;
    pthread_t a, b;
    if (pthread_create(&a, 0, add, &one) != 0)
        return 0;
    pthread_join(a, 0);
    if (pthread_create(&b, 0, add, &two) != 0)
        return 0;
    pthread_join(b, 0);
    if (total > 3)
        reach_error();
    return 0;
}
