// expect: false
extern int __VERIFIER_nondet_int(void);
struct irp { int status; int minor; };
struct device { struct irp *current; };
void IoCompleteRequest(struct irp *irp, int boost);
int IoCallDriver(struct device *lower, struct irp *irp);
void IoMarkIrpPending(struct irp *irp);

static int fail(struct irp *irp, int status)
{
    irp->status = status;
    IoCompleteRequest(irp, 0); // bad
    return status;
}
static int start(struct device *device, struct irp *irp)
{
    if (irp->minor == 17)
        return fail(irp, -5);
    device->current = irp;
    IoMarkIrpPending(irp);
    return 0x103;
}
int DispatchRoutine(struct device *device, struct irp *irp)
{
    int status = start(device, irp);
    if (status < 0)
        return fail(irp, status);
    return status;
}
int main(void)
{
    struct device device = { 0 };
    struct irp irp = { 0, 0 };
    irp.minor = __VERIFIER_nondet_int();
    DispatchRoutine(&device, &irp);
    return 0;
}
