// expect: false
// As lock_loop.c, but the request is counted outside of the branch.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held;
static void lock(void) { if (held) reach_error(); held = 1; }
static void unlock(void) { if (!held) reach_error(); held = 0; }

int main(void)
{
    int requests = 0, seen;
    do {
        lock();
        seen = requests;
        if (__VERIFIER_nondet_int())
            unlock();
        requests += __VERIFIER_nondet_int() != 0;
    } while (seen != requests);
    unlock();
    return 0;
}
