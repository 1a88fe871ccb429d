// expect: true
// As many rounds as there are bits.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned bits = 0, x = __VERIFIER_nondet_uint();
    int i;
    for (i = 0; i < 32; i++)
        bits += x >> i & 1;
    return bits;
}
