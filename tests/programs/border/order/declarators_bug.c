// expect: false
// One declaration after the other: the second gets the later number.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    int a = next(), b = next();
    if (a < b)
        reach_error();
    return 0;
}
