// expect: true
// property: valid-deref
// bits: 64
// inputs: 0x4000000000000001
// An index inside the array.
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    int v[4] = {0, 0, 0, 0};
    unsigned long i = __VERIFIER_nondet_ulong();
    if (i != 1)
        return 0;
    return v[i];
}
