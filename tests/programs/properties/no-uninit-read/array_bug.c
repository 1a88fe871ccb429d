// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[4], i, n = __VERIFIER_nondet_int();
    for (i = 0; i < 3; i++)
        a[i] = i;
    if (n < 0 || n > 3)
        return 0;
    return a[n]; // bad
}
