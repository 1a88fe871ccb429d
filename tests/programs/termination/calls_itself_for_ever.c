// expect: false
extern int __VERIFIER_nondet_int(void);
static int f(int n)
{
    if (n == 0)
        return 0;
    return f(n);
}
int main(void)
{
    return f(__VERIFIER_nondet_int());
}
