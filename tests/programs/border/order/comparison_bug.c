// expect: false or unknown
// Two numbers are drawn in some order: the left is the smaller one here.
extern void reach_error(void);
static int n;

static int next(void)
{
    return n++;
}
int main(void)
{
    if (next() < next())
        reach_error();
    return 0;
}
