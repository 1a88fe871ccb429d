// expect: true
extern int __VERIFIER_nondet_int(void);
void lock(void);
void unlock(void);

static int shared;
static void add(int n)
{
    lock();
    shared += n;
    unlock();
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        add(n);
    else
        add(-1);
    add(1);
    return 0;
}
