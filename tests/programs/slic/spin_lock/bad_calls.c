// expect: false
extern int __VERIFIER_nondet_int(void);
typedef struct { unsigned long word; } KSPIN_LOCK;
void KeAcquireSpinLock(KSPIN_LOCK *lock, unsigned char *level);
void KeReleaseSpinLock(KSPIN_LOCK *lock, unsigned char level);

static KSPIN_LOCK lock;
static int prepare(int request, unsigned char *level)
{
    KeAcquireSpinLock(&lock, level);
    return request > 100 ? -1 : 0;
}
int DriverRoutine(int request)
{
    unsigned char level;
    if (prepare(request, &level) < 0)
        return -1;
    KeReleaseSpinLock(&lock, level);
    return 0;
} // bad
int main(void)
{
    DriverRoutine(__VERIFIER_nondet_int());
    return 0;
}
