// expect: true
// property: no-overflow
// inputs: 2147483647
// The builtin says whether the sum fits, and does not overflow.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum;
    if (__builtin_add_overflow(n, 1, &sum))
        return 1;
    return sum == 0;
}
