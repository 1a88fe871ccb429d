// expect: true or unknown
// inputs: 33
// The amount is asked for.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), bit;
    if (n < 1 || n > 30)
        return 0;
    bit = 1 << n;
    if (bit == 1)
        reach_error();
    return 0;
}
