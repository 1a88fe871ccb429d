// expect: true
// inputs: 0
// && and || say what comes first, and what comes not at all.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int calls;

static int count(void)
{
    return ++calls;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n != 0 && count())
        n = 1;
    if (calls != (n != 0))
        reach_error();
    return 0;
}
