// expect: false
// A handler calls itself three times through the device, and only then is the error reached.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device {
    void (*notify)(struct device *);
    int state;
};

static void idle(struct device *d)
{
    if (d->state == 4)
        reach_error();
}

static void start(struct device *d)
{
    if (++d->state == 4)
        d->notify = idle;
    d->notify(d);
}

int main(void)
{
    struct device d = {start, __VERIFIER_nondet_int()};
    void (*handler)(struct device *) = start;
    if (d.state < 0 || d.state > 3)
        return 0;
    handler(&d);
    return 0;
}
