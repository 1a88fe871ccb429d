// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x, n = __VERIFIER_nondet_int();
    if (n > 4)
        x = n;
    n = n / 2;
    if (n > 1)
        return x; // bad
    return 0;
}
