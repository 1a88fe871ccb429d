// expect: false or unknown
// A function that is declared under another name reaches the error behind it.
extern void reach_error(void);
extern void stop(void) __asm__("finish");
static int done;

void finish(void)
{
    done = 1;
    reach_error();
}
int main(void)
{
    stop();
    return 0;
}
