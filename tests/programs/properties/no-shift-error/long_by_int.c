// expect: false
// Sixty-four is too far for a long.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 64)
        return 1ul << n > 3; // bad
    return 0;
}
