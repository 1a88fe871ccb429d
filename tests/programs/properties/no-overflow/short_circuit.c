// expect: true
// The sum is computed only where it fits.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 2147483647 && a + 1 > 7)
        return a > 0 ? a - 1 : 0;
    return 0;
}
