// expect: pure true, havoc true
// The object could hold a function, but holds none when it is given away.
extern void reach_error(void);

struct device {
    void (*done)(void);
};

extern void attach(const struct device *);

static int finished;

static void finish(void)
{
    finished = 1;
}

int main(void)
{
    struct device device = { 0 };
    attach(&device);
    if (finished)
        reach_error();
    device.done = finish;
    device.done();
    return finished - 1;
}
