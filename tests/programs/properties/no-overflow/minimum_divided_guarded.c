// expect: true
// A divisor below minus one is harmless.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b < -1)
        return a > 3 ? a / b : a % b;
    return 0;
}
