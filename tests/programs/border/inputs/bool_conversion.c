// expect: true
// inputs: 256
// What becomes a truth value is 0 or 1, and not cut.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int truth(_Bool b)
{
    return b;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (truth(n) != (n != 0))
        reach_error();
    return 0;
}
