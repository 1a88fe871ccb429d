// expect: true
// The amount is a difference that is not negative.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint() % 32;
    unsigned b = __VERIFIER_nondet_uint() % 32;
    return a < b ? 0 : 1u << (a - b);
}
