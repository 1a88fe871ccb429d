// expect: true
// inputs: 511
// A value is cut to what the function returns.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static unsigned char low(int n)
{
    return n;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (low(n) != (n & 255))
        reach_error();
    return 0;
}
