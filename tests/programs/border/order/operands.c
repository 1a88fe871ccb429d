// expect: true or unknown
// The operands are evaluated one after the other, whichever is the first.
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
    if (sum != 3 || (trace != 12 && trace != 21))
        reach_error();
    return 0;
}
