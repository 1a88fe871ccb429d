// expect: false or unknown
// inputs: 7
// Seven has three bits.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), bits = __builtin_popcount((unsigned)n);
    if (n == 7 && bits == 3)
        reach_error();
    return 0;
}
