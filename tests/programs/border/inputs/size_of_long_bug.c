// expect: false
// bits: 32
// inputs: 1
// With 32 bits a long wraps where an int does.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == 1 && n + 4294967295u == 0)
        reach_error();
    return 0;
}
