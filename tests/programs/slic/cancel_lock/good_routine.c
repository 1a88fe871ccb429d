// expect: true
extern int __VERIFIER_nondet_int(void);
void IoAcquireCancelSpinLock(unsigned char *level);
void IoReleaseCancelSpinLock(unsigned char level);

struct irp { int cancelled; unsigned char level; };
void CancelRoutine(struct irp *irp)
{
    irp->cancelled = 1;
    IoReleaseCancelSpinLock(irp->level);
}
int main(void)
{
    struct irp irp = { 0, 2 };
    CancelRoutine(&irp);
    return irp.cancelled;
}
