// expect: false or unknown
// Which function is called and its argument are evaluated in some order.
extern void reach_error(void);
static int trace;

static int plain(int n)
{
    return n;
}
static int (*pick(void))(int)
{
    trace = trace * 10 + 1;
    return plain;
}
static int number(void)
{
    trace = trace * 10 + 2;
    return 5;
}
int main(void)
{
    pick()(number());
    if (trace == 12)
        reach_error();
    return 0;
}
