// expect: true
// bits: 32
// inputs: 1
// With 32 bits a long has four bytes.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    if (sizeof n != 4 || n > 4294967295u)
        reach_error();
    return 0;
}
