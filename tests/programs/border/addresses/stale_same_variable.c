// expect: unknown
// A variable of a later activation may lie elsewhere.
extern void reach_error(void);

static int *kept;

static void note(void)
{
    int x = 1;
    if (kept && kept != &x)
        reach_error();
    kept = &x;
}

static void deeper(void)
{
    int space[10];
    space[0] = 0;
    note();
}

int main(void)
{
    note();
    deeper();
    return 0;
}
