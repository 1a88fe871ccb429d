// expect: true
// A long has more bits.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    int n = 0;
    while (n < 32)
        n += 8;
    return x >> n > 3;
}
