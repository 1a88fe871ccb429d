// expect: pure true, havoc unknown
// A table of functions is given away; that it is constant keeps nobody from calling them.
extern void reach_error(void);

struct operations {
    int number;
    void (*open)(void);
};

extern void install(const struct operations *);

static int opened;

static void open_it(void)
{
    opened = 1;
}

static const struct operations table = { 1, open_it };

int main(void)
{
    install(&table);
    if (opened)
        reach_error();
    return 0;
}
