// expect: true or unknown
// A function that is declared under another name calls the one behind it.
extern void reach_error(void);
extern void stop(void) __asm__("finish");
static int done;

void finish(void)
{
    done = 1;
}
int main(void)
{
    stop();
    if (!done)
        reach_error();
    return 0;
}
