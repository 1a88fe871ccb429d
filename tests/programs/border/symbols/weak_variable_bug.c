// expect: false or unknown
// A weak variable that nobody defines has the address null.
extern void reach_error(void);
extern int limit __attribute__((weak));

int main(void)
{
    if (&limit == 0)
        reach_error();
    return 0;
}
