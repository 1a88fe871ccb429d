// expect: true
// Unsigned arithmetic wraps by definition.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint();
    unsigned char b = (unsigned char)u;
    u = u * 3 + 7;
    u = -u;
    b--;
    return u > b;
}
