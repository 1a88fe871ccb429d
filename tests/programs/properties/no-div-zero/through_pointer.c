// expect: false
// A pointer changes the divisor behind its back.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int d = 1;
    int *p = &d;
    if (__VERIFIER_nondet_int() == 42)
        *p = 0;
    return 5 / d; // bad
}
