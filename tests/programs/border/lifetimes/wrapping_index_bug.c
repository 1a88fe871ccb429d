// expect: false or unknown
// property: valid-deref
// bits: 64
// inputs: 0x4000000000000001
// An index so large that the address wraps round is outside all the same.
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    int v[4] = {0, 0, 0, 0};
    unsigned long i = __VERIFIER_nondet_ulong();
    if (i != 0x4000000000000001)
        return 0;
    return v[i];
}
