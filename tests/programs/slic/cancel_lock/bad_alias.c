// expect: false
extern int __VERIFIER_nondet_int(void);
void IoAcquireCancelSpinLock(unsigned char *level);
void IoReleaseCancelSpinLock(unsigned char level);

static void start(int *held, int *done)
{
    unsigned char level = 0;
    *held = 1;
    IoAcquireCancelSpinLock(&level);
    *done = 1;
    if (*held == 1)
        IoReleaseCancelSpinLock(level);
    *held = 0;
    if (*done == 0)
        IoReleaseCancelSpinLock(level); // bad
}
int main(void)
{
    int held = 0, done = 0;
    start(&held, __VERIFIER_nondet_int() > 40 ? &held : &done);
    return 0;
}
