// expect: true
// A destructor runs after main, and finds the block given back.
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
    held = 0;
    return 0;
}
