// expect: true
extern int __VERIFIER_nondet_int(void);
struct lock { int word; };
void spin_lock(struct lock *lock);
void spin_unlock(struct lock *lock);
void local_irq_disable(void);
void local_irq_enable(void);
void msleep(unsigned milliseconds);
void *kmalloc(unsigned long size, int may_wait);

static void *get(int atomic)
{
    return kmalloc(64, !atomic);
}
int main(void)
{
    int atomic = __VERIFIER_nondet_int() > 0;
    if (atomic)
        local_irq_disable();
    get(atomic);
    if (atomic)
        local_irq_enable();
    msleep(1);
    return 0;
}
