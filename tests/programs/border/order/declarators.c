// expect: true
// One declaration after the other, from left to right.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    int a = next(), b = next();
    if (a != 0 || b != 1)
        reach_error();
    return 0;
}
