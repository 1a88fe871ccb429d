// expect: true
// Both operands are bounded.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > -1000 && a < 1000 && b > -1000 && b < 1000)
        return a + b > 0;
    return 0;
}
