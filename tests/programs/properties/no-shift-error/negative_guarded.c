// expect: true
// The amount is not negative.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 32)
        return 5 >> n;
    return 0;
}
