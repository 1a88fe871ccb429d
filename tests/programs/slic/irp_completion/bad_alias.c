// expect: false
extern int __VERIFIER_nondet_int(void);
struct irp { int status; int minor; };
struct device { struct irp *current; };
void IoCompleteRequest(struct irp *irp, int boost);
int IoCallDriver(struct device *lower, struct irp *irp);
void IoMarkIrpPending(struct irp *irp);

int DispatchRoutine(struct device *device, struct irp *irp)
{
    struct irp *waiting = device->current;
    IoCompleteRequest(irp, 0);
    if (waiting != 0)
        IoCompleteRequest(waiting, 0); // bad
    return 0;
}
int main(void)
{
    struct irp one = { 0, 0 }, two = { 0, 0 };
    struct device device = { &two };
    if (__VERIFIER_nondet_int() == 3)
        device.current = &one;
    DispatchRoutine(&device, &one);
    return 0;
}
