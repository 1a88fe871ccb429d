// expect: false
// inputs: 256
// What becomes a truth value is not cut: 256 is true.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int truth(_Bool b)
{
    return b;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if ((n & 255) == 0 && truth(n))
        reach_error();
    return 0;
}
