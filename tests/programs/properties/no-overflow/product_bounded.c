// expect: true
// The product stays below two thousand million.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a > 0 && a < 40000)
        return a * 50000 > 7;
    return 0;
}
