// check: --property no-overflow
extern short __VERIFIER_nondet_short(void);
int main(void)
{
    short exponent = __VERIFIER_nondet_short();
    if (exponent < 1 || exponent > 32)
        return 0;
    return 1 << exponent;
}
