// expect: false
// The minimum divided by minus one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b < 0)
        return a / b > 2; // bad
    return 0;
}
