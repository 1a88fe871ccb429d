// expect: false
// What atexit was given runs at the end, when the work is not done.
extern void reach_error(void);
extern int atexit(void (*f)(void));
static int done;

static void at_end(void)
{
    if (!done)
        reach_error();
}
int main(void)
{
    atexit(at_end);
    done = 0;
    return 0;
}
