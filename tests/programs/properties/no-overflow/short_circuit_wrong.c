// expect: false
// The guard stands behind the sum.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b;
    if ((b = a + 1) > 7 && a < 2147483647) // bad
        return b;
    return 0;
}
