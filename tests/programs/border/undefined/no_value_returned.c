// expect: true or unknown
// Each way returns a value.
extern void reach_error(void);

static int sign(int n)
{
    if (n > 0)
        return 1;
    return 0;
}
int main(void)
{
    int s = sign(-1);
    if (s != 0 && s != 1)
        reach_error();
    return 0;
}
