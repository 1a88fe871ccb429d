// expect: true
extern int __VERIFIER_nondet_int(void);
struct irp { int status; int minor; };
struct device { struct irp *current; };
void IoCompleteRequest(struct irp *irp, int boost);
int IoCallDriver(struct device *lower, struct irp *irp);
void IoMarkIrpPending(struct irp *irp);

static void complete(struct irp *irp, int status)
{
    irp->status = status;
    IoCompleteRequest(irp, 0);
}
int DispatchRoutine(struct device *device, struct irp *irp)
{
    struct irp *before = device->current;
    device->current = irp;
    if (before != 0)
        complete(before, -1);
    IoMarkIrpPending(irp);
    return 0x103;
}
int main(void)
{
    struct device device = { 0 };
    struct irp first = { 0, 0 }, second = { 0, 0 };
    DispatchRoutine(&device, &first);
    DispatchRoutine(&device, &second);
    complete(device.current, 0);
    return 0;
}
