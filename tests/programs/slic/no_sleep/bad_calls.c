// expect: false
extern int __VERIFIER_nondet_int(void);
struct lock { int word; };
void spin_lock(struct lock *lock);
void spin_unlock(struct lock *lock);
void local_irq_disable(void);
void local_irq_enable(void);
void msleep(unsigned milliseconds);
void *kmalloc(unsigned long size, int may_wait);

static struct lock lock;
static void wait_for(int *ready)
{
    if (!*ready)
        msleep(5); // bad
}
int main(void)
{
    int ready = __VERIFIER_nondet_int();
    spin_lock(&lock);
    wait_for(&ready);
    spin_unlock(&lock);
    return 0;
}
