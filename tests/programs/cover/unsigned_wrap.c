extern unsigned int __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    if (x + 1 == 0)
        return 1;
    if (x + 1 < x)
        return 2;
    return 0;
}
