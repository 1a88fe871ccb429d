// expect: false
// One below the minimum.
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    if (n < 0)
        --n; // bad
    return n < 5;
}
