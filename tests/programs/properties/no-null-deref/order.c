// expect: false
// The question comes too late.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 7, *p = __VERIFIER_nondet_int() ? &x : 0;
    int y = *p; // bad
    if (!p)
        return 0;
    return y;
}
