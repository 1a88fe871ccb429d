// expect: false
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>

struct account { pthread_mutex_t mutex; int balance; };
static struct account a, b;
static void move(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->mutex);
    pthread_mutex_lock(&to->mutex); // bad
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->mutex);
    pthread_mutex_unlock(&from->mutex);
}
int main(void)
{
    move(&a, __VERIFIER_nondet_int() == 4 ? &a : &b, 1);
    return 0;
}
