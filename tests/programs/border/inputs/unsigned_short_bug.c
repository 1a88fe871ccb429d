// expect: false
// inputs: 65535
// A short without a sign may be 65535.
extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    int n = __VERIFIER_nondet_ushort();
    if (n == 65535)
        reach_error();
    return 0;
}
