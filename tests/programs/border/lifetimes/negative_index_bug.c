// expect: false
// property: valid-deref
// inputs: -1
// An index of minus one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[4] = {0}, i = __VERIFIER_nondet_int();
    if (i < -1 || i > 3)
        return 0;
    v[i] = 1;
    return 0;
}
