// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x, n = __VERIFIER_nondet_int();
    if (n > 4)
        x = n;
    n = n / 2;
    if (n > 2)
        return x;
    return 0;
}
