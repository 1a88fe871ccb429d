// expect: pure true, havoc unknown
// The function is stored in a variable of the library's.
extern void reach_error(void);
extern void (*hook)(void);
extern void work(void);

static int hooked;

static void mine(void)
{
    hooked = 1;
}

int main(void)
{
    hook = mine;
    work();
    if (hooked)
        reach_error();
    return 0;
}
