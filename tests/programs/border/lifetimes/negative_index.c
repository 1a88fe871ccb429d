// expect: true
// property: valid-deref
// inputs: -1
// An index from the first to the last.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[4] = {0}, i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    v[i] = 1;
    return 0;
}
