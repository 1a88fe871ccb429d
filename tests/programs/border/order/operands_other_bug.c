// expect: unknown
// not shown by gcc: it takes the left operand first
// The operands are evaluated in some order, perhaps the right one first.
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
    if (trace == 21 && sum == 3)
        reach_error();
    return 0;
}
