// expect: true
extern int __VERIFIER_nondet_int(void);
void IoAcquireCancelSpinLock(unsigned char *level);
void IoReleaseCancelSpinLock(unsigned char level);

static int queued;
int main(void)
{
    unsigned char level = 0;
    int i, n = __VERIFIER_nondet_int();
    for (i = 0; i < n; i++) {
        IoAcquireCancelSpinLock(&level);
        if (queued > 10) {
            IoReleaseCancelSpinLock(level);
            break;
        }
        queued++;
        IoReleaseCancelSpinLock(level);
    }
    return 0;
}
