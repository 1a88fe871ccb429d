// expect: false
extern int __VERIFIER_nondet_int(void);
void IoAcquireCancelSpinLock(unsigned char *level);
void IoReleaseCancelSpinLock(unsigned char level);

struct irp { int owner; unsigned char level; };
static void finish(struct irp *irp)
{
    if (irp->owner != 3)
        IoReleaseCancelSpinLock(irp->level);
}
void CancelRoutine(struct irp *irp)
{
    finish(irp);
} // bad
int main(void)
{
    struct irp irp = { 0, 2 };
    irp.owner = __VERIFIER_nondet_int();
    CancelRoutine(&irp);
    return 0;
}
