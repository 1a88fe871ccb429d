// expect: true
// Both amounts are masked.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned rotate(unsigned x, unsigned n)
{
    return x << (n & 31) | x >> (-n & 31);
}
int main(void)
{
    return rotate(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
}
