// expect: true
extern int __VERIFIER_nondet_int(void);
static int half(int n)
{
    int result;
    if (n < 0)
        result = -(n / 2);
    else
        result = n / 2;
    return result;
}
int main(void)
{
    return half(__VERIFIER_nondet_int());
}
