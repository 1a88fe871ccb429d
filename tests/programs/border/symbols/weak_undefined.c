// expect: true
// A weak function that nobody defines is called only if it is there.
extern void reach_error(void);
extern int extra(void) __attribute__((weak));

int main(void)
{
    if (extra != 0)
        extra();
    return 0;
}
