// expect: false
// Compound division.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long n = 1000;
    n /= __VERIFIER_nondet_int(); // bad
    return n > 3;
}
