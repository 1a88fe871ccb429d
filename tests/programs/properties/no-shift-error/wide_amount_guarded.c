// expect: true
// All bits of the amount are asked.
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    if (n >= 0 && n < 32)
        return 3 >> n;
    return 0;
}
