// expect: true n + 1
extern int __VERIFIER_nondet_int(void);
static unsigned factorial(int n)
{
    return n <= 0 ? 1 : n * factorial(n - 1);
}
int main(void)
{
    return factorial(__VERIFIER_nondet_int()) == 0;
}
