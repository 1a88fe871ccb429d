extern int __VERIFIER_nondet_int(void);
static int down(int n)
{
    if (n <= 0)
        return 0;
    return 1 + down(n - 1);
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 4)
        return 0;
    return down(x);
}
