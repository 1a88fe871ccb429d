// expect: false
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static int get(void)
{
    int value;
    pthread_mutex_lock(&mutex); // bad
    value = shared;
    pthread_mutex_unlock(&mutex);
    return value;
}
static void add(int n)
{
    pthread_mutex_lock(&mutex);
    if (n > 50)
        n = get();
    shared = n;
    pthread_mutex_unlock(&mutex);
}
int main(void)
{
    add(__VERIFIER_nondet_int());
    return 0;
}
