// expect: false
// The amount has more bits than what is shifted.
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    if ((int)n >= 0 && (int)n < 32)
        return 3 >> n; // bad
    return 0;
}
