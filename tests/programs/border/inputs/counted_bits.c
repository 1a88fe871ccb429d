// expect: true or unknown
// inputs: 7
// The builtin counts no more bits than there are.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), bits = __builtin_popcount((unsigned)n);
    if (bits < 0 || bits > 32)
        reach_error();
    return 0;
}
