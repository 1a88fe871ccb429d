// expect: false
// property: no-overflow
// inputs: 2147483647
// The sum is made by the operator after the builtin said no.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum;
    if (__builtin_add_overflow(n, 1, &sum))
        sum = n + 1;
    return sum == 0;
}
