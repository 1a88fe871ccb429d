// expect: pure true, havoc unknown
// The function is stored when the object is known outside already; another call finds it there.
extern void reach_error(void);

struct device {
    void (*done)(void);
};

extern void attach(struct device *);
extern void poll_all(void);

static int finished;

static void finish(void)
{
    finished = 1;
}

int main(void)
{
    struct device device = { 0 };
    attach(&device);
    device.done = finish;
    poll_all();
    if (finished)
        reach_error();
    return 0;
}
