// expect: false
extern int __VERIFIER_nondet_int(void);
static int sign(int n)
{
    int result;
    if (n < 0)
        result = -1;
    if (n > 0)
        result = 1;
    return result; // bad
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 100)
        return sign(n - 101);
    return 0;
}
