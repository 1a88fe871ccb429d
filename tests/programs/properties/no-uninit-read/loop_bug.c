// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i, last, n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    for (i = 0; i < n; i++)
        last = i;
    return last; // bad
}
