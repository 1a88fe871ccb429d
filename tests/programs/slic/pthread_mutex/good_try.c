// expect: true
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;
int main(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        if (pthread_mutex_trylock(&mutex) != 0)
            continue;
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
