extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || b < 1 || a > 20 || b > 20)
        return 0;
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    if (a == 0)
        return 1;
    return 2;
}
