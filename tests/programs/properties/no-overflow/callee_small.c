// expect: true
// The function gets small arguments only.
extern int __VERIFIER_nondet_int(void);

static int twice(int x)
{
    return x + x;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    return twice(a & 127) + twice(a > 9 && a < 90 ? a : 0);
}
