// expect: false
// A weak function that nobody defines has the address null.
extern void reach_error(void);
extern int extra(void) __attribute__((weak));

int main(void)
{
    if (extra == 0)
        reach_error();
    return 0;
}
