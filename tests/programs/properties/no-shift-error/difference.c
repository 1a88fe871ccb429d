// expect: false
// The amount is a difference.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint() % 32;
    unsigned b = __VERIFIER_nondet_uint() % 32;
    return 1u << (a - b); // bad
}
