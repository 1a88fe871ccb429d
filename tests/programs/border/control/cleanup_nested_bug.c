// expect: false
// A return from two blocks cleans up both.
extern void reach_error(void);
static int trace;

static void note(int *at)
{
    trace = trace * 10 + *at;
}
static void work(int n)
{
    __attribute__((cleanup(note))) int outer = 1;
    {
        __attribute__((cleanup(note))) int inner = 2;
        if (n)
            return;
    }
    outer = 3;
}
int main(void)
{
    work(1);
    if (trace == 21)
        reach_error();
    return 0;
}
