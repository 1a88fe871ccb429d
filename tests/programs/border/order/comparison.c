// expect: true or unknown
// Two numbers that are drawn are not equal.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    if (next() == next())
        reach_error();
    return 0;
}
