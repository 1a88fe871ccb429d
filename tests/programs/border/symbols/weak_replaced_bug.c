// expect: false or unknown
// native: int level(void) { return 9; }
// A weak definition is replaced by the one of another file.
extern void reach_error(void);
__attribute__((weak)) int level(void)
{
    return 1;
}
int main(void)
{
    if (level() != 1)
        reach_error();
    return 0;
}
