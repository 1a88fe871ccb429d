// expect: true
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    while (b != 0) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
    }
    return 0;
}
