// expect: false
// The inner pointer is null.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1, *p = 0, **q = &p;
    if (__VERIFIER_nondet_int() != 4)
        *q = &x;
    return **q; // bad
}
