// expect: true
extern int __VERIFIER_nondet_int(void);
typedef struct { unsigned long word; } KSPIN_LOCK;
void KeAcquireSpinLock(KSPIN_LOCK *lock, unsigned char *level);
void KeReleaseSpinLock(KSPIN_LOCK *lock, unsigned char level);

struct extension { int busy; KSPIN_LOCK lock; };
static struct extension device;
int DriverRoutine(struct extension *e, int request)
{
    unsigned char level;
    KeAcquireSpinLock(&e->lock, &level);
    if (e->busy || request < 0) {
        KeReleaseSpinLock(&e->lock, level);
        return -1;
    }
    e->busy = 1;
    KeReleaseSpinLock(&e->lock, level);
    return 0;
}
int main(void)
{
    DriverRoutine(&device, __VERIFIER_nondet_int());
    DriverRoutine(&device, __VERIFIER_nondet_int());
    return 0;
}
