// expect: false or unknown
// The operands are evaluated in some order.
extern void reach_error(void);
static int trace;

static int note(int n)
{
    trace = trace * 10 + n;
    return n;
}
int main(void)
{
    int sum = note(1) + note(2);
    if (trace == 12)
        reach_error();
    return 0;
}
