// expect: true
// The shift is not computed.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return sizeof(1 << n) == 4 || 1 << n;
}
