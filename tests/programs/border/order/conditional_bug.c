// expect: false
// inputs: 0
// The condition comes first, and then one branch.
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
    if (trace == 13)
        reach_error();
    return 0;
}
