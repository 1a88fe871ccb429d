// expect: true
// By its type a handler could call itself through the device; none is ever put there that does.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device {
    void (*notify)(struct device *);
    int state;
};

static void idle(struct device *d)
{
    if (d->state != 0)
        reach_error();
}

static void start(struct device *d)
{
    d->state = 0;
    d->notify(d);
}

int main(void)
{
    struct device d = {idle, __VERIFIER_nondet_int()};
    void (*handler)(struct device *) = start;
    handler(&d);
    return 0;
}
