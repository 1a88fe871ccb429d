// expect: false
// Rotating by nothing shifts by the width.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned rotate(unsigned x, unsigned n)
{
    return x << n | x >> (32 - n); // bad
}
int main(void)
{
    return rotate(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint() % 32);
}
