// expect: false
// The variable that was declared last is cleaned up first.
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
    if (trace != 12)
        reach_error();
    return 0;
}
