// expect: false
// inputs: 0
// && does not evaluate its right side if the left is false.
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
    if (calls == 0)
        reach_error();
    return 0;
}
