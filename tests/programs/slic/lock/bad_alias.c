// expect: false
extern int __VERIFIER_nondet_int(void);
void lock(void);
void unlock(void);

static void set(int *flag, int *other)
{
    *flag = 1;
    *other = 0;
}
int main(void)
{
    int held = 0, ready = 0;
    int *other = __VERIFIER_nondet_int() ? &ready : &held;
    lock();
    set(&held, other);
    if (!held)
        unlock();
    unlock(); // bad
    return 0;
}
