// expect: pure true, havoc unknown
// The function never returns, but it may call what it is given before.
extern void reach_error(void);
extern __attribute__((noreturn)) void leave(void (*last)(int));

static void last(int code)
{
    if (code)
        reach_error();
}

int main(void)
{
    leave(last);
}
