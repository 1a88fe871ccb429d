// expect: true or unknown
// native: int level(void) { return 9; }
// A weak definition may be replaced by another: both results are allowed for.
extern void reach_error(void);
__attribute__((weak)) int level(void)
{
    return 1;
}
int main(void)
{
    int n = level(), m = n;
    if (m != n)
        reach_error();
    return 0;
}
