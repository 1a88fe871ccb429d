// expect: true
// Variables are cleaned up in the opposite order of their declarations.
extern void reach_error(void);
static int trace;

static void note(int *at)
{
    trace = trace * 10 + *at;
}
int main(void)
{
    {
        __attribute__((cleanup(note))) int a = 1;
        __attribute__((cleanup(note))) int b = 2;
    }
    if (trace != 21)
        reach_error();
    return 0;
}
