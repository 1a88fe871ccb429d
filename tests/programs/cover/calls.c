extern int __VERIFIER_nondet_int(void);
static int twice(int x)
{
    if (x > 1000)
        return 0;
    return 2 * x;
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 10)
        return 1;
    return twice(x);
}
