// expect: true
extern int __VERIFIER_nondet_int(void);
void lock(void);
void unlock(void);

int main(void)
{
    int requests = __VERIFIER_nondet_int(), old;
    do {
        lock();
        old = requests;
        if (__VERIFIER_nondet_int()) {
            unlock();
            requests++;
        }
    } while (requests != old);
    unlock();
    return 0;
}
