// expect: unknown
// The frame of one function lies where that of another lay.
extern void reach_error(void);

static int *kept;

static void first(void)
{
    int x = 1;
    kept = &x;
}

static void second(void)
{
    int y = 1;
    if (kept == &y)
        reach_error();
}

int main(void)
{
    first();
    second();
    return 0;
}
