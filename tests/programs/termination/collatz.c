// expect: unknown
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned long long n = __VERIFIER_nondet_uint();
    while (n > 1)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
