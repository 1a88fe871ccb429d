// expect: true
extern int __VERIFIER_nondet_int(void);
struct lock { int word; };
void spin_lock(struct lock *lock);
void spin_unlock(struct lock *lock);
void local_irq_disable(void);
void local_irq_enable(void);
void msleep(unsigned milliseconds);
void *kmalloc(unsigned long size, int may_wait);

static struct lock a, b;
int main(void)
{
    spin_lock(&a);
    spin_lock(&b);
    spin_unlock(&b);
    kmalloc(16, 0);
    spin_unlock(&a);
    msleep(10);
    return 0;
}
