// expect: true
// The pointer points elsewhere.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int d = 1, e = 1;
    int *p = &e;
    if (__VERIFIER_nondet_int() == 42)
        *p = 0;
    return 5 / d + e;
}
