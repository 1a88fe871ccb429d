// expect: true
// The divisor is odd.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    return 100 % (a | 1);
}
