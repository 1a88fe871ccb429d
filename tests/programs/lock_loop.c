// expect: true
// The loop of the SLAM papers: the lock is held exactly where it is released.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held;
static void lock(void) { if (held) reach_error(); held = 1; }
static void unlock(void) { if (!held) reach_error(); held = 0; }

int main(void)
{
    int requests, seen;
    do {
        lock();
        seen = requests;
        if (__VERIFIER_nondet_int()) {
            unlock();
            requests++;
        }
    } while (seen != requests);
    unlock();
    return 0;
}
