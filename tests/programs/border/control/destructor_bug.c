// expect: false
// A destructor runs after main, and finds that the block was not given back.
extern void reach_error(void);
static int held;

__attribute__((destructor)) static void check(void)
{
    if (held)
        reach_error();
}
int main(void)
{
    held = 1;
    return 0;
}
