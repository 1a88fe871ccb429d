// expect: true
// inputs: 0
// Only one branch of ?: is evaluated, behind its condition.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int trace;

static int note(int n)
{
    trace = trace * 10 + n;
    return n;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int r = (note(1), n) ? note(2) : note(3);
    if (trace != (n ? 12 : 13) || r < 2)
        reach_error();
    return 0;
}
