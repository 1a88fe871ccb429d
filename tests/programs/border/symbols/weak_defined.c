// expect: true or unknown
// A weak function that is defined here is there.
extern void reach_error(void);
static int calls;

__attribute__((weak)) void hook(void)
{
    calls++;
}
int main(void)
{
    if (hook)
        hook();
    if (calls > 1)
        reach_error();
    return 0;
}
