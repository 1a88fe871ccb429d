// expect: true or unknown
// A weak alias that nobody replaces is what it names.
extern void reach_error(void);
static int state;

void strong(void)
{
    state++;
}
void soft(void) __attribute__((weak, alias("strong")));

int main(void)
{
    soft();
    if (state != 1)
        reach_error();
    return 0;
}
