// expect: true
extern int __VERIFIER_nondet_int(void);
struct irp { int status; int minor; };
struct device { struct irp *current; };
void IoCompleteRequest(struct irp *irp, int boost);
int IoCallDriver(struct device *lower, struct irp *irp);
void IoMarkIrpPending(struct irp *irp);

int DispatchRoutine(struct device *device, struct irp *irp)
{
    switch (irp->minor) {
    case 0:
        irp->status = 0;
        IoCompleteRequest(irp, 0);
        return 0;
    case 1:
        IoMarkIrpPending(irp);
        device->current = irp;
        return 0x103;
    default:
        return IoCallDriver(device, irp);
    }
}
int main(void)
{
    struct device device = { 0 };
    struct irp irp = { 0, 0 };
    irp.minor = __VERIFIER_nondet_int();
    DispatchRoutine(&device, &irp);
    return 0;
}
