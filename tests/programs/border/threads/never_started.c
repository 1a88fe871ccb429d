// expect: true
// inputs: 4
// gcc: -pthread
// A thread that is mentioned and never started changes nothing of the verdict.
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
    if (shared)
        reach_error();
    return 0;
}
