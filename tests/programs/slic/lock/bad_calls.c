// expect: false
extern int __VERIFIER_nondet_int(void);
void lock(void);
void unlock(void);

static int shared;
static void add(int n)
{
    lock(); // bad
    shared += n;
    unlock();
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    lock();
    if (n > 1000)
        add(n);
    unlock();
    return 0;
}
