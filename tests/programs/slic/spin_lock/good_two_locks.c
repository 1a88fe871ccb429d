// expect: true
extern int __VERIFIER_nondet_int(void);
typedef struct { unsigned long word; } KSPIN_LOCK;
void KeAcquireSpinLock(KSPIN_LOCK *lock, unsigned char *level);
void KeReleaseSpinLock(KSPIN_LOCK *lock, unsigned char level);

static KSPIN_LOCK queue, device;
static void both(KSPIN_LOCK *first, KSPIN_LOCK *second)
{
    unsigned char a, b;
    KeAcquireSpinLock(first, &a);
    KeAcquireSpinLock(second, &b);
    KeReleaseSpinLock(second, b);
    KeReleaseSpinLock(first, a);
}
int main(void)
{
    if (__VERIFIER_nondet_int())
        both(&queue, &device);
    else
        both(&device, &queue);
    return 0;
}
