// expect: true
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>

static pthread_mutex_t accounts[2];
static int balance[2];
static void move(int from, int to, int amount)
{
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&accounts[first]);
    pthread_mutex_lock(&accounts[second]);
    balance[from] -= amount;
    balance[to] += amount;
    pthread_mutex_unlock(&accounts[second]);
    pthread_mutex_unlock(&accounts[first]);
}
int main(void)
{
    pthread_mutex_init(&accounts[0], 0);
    pthread_mutex_init(&accounts[1], 0);
    if (__VERIFIER_nondet_int())
        move(0, 1, 5);
    else
        move(1, 0, 5);
    pthread_mutex_destroy(&accounts[1]);
    pthread_mutex_destroy(&accounts[0]);
    return 0;
}
