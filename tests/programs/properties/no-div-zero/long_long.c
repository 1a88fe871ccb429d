// expect: false
// A product that wraps to zero, unsigned.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    if (a == 0)
        return 0;
    return 8 / (a * 65536u); // bad
}
