// expect: false
extern int __VERIFIER_nondet_int(void);
struct lock { int word; };
void spin_lock(struct lock *lock);
void spin_unlock(struct lock *lock);
void local_irq_disable(void);
void local_irq_enable(void);
void msleep(unsigned milliseconds);
void *kmalloc(unsigned long size, int may_wait);

struct request { int may_wait; };
static void prepare(struct request *mine, struct request *theirs)
{
    mine->may_wait = 0;
    theirs->may_wait = 1;
    local_irq_disable();
    kmalloc(32, mine->may_wait); // bad
    local_irq_enable();
}
int main(void)
{
    struct request a = { 0 }, b = { 0 };
    prepare(&a, __VERIFIER_nondet_int() == 11 ? &a : &b);
    return 0;
}
