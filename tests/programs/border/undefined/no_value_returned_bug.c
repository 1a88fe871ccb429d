// expect: false or unknown
// not shown by gcc: what is in the register is left open
// One way returns no value, and it is used.
extern void reach_error(void);

static int sign(int n)
{
    if (n > 0)
        return 1;
}
int main(void)
{
    int s = sign(-1);
    if (s != 0 && s != 1)
        reach_error();
    return 0;
}
