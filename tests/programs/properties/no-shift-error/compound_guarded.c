// expect: true
// Compound shift of few places.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 1;
    x <<= __VERIFIER_nondet_uint() % 32;
    x >>= 31;
    return x;
}
