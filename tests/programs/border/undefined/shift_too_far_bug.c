// expect: false or unknown
// inputs: 33
// A shift by more than the width: this machine takes the amount modulo 32.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), bit;
    if (n != 33)
        return 0;
    bit = 1 << n;
    if (bit == 2)
        reach_error();
    return 0;
}
