// expect: false
// inputs: 4
// gcc: -pthread
// Where no thread is started the error is found as ever.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int shared;

static void *worker(void *unused)
{
    shared = 1;
    return unused;
}
int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    if (n > 5 && n < 5)
        pthread_create(&id, 0, worker, 0);
    if (!shared && n == 4)
        reach_error();
    return 0;
}
