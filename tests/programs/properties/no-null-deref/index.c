// expect: false
// An index into nothing.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[3] = { 1, 2, 3 };
    int *p = __VERIFIER_nondet_int() < 0 ? 0 : a;
    return p[2]; // bad
}
