// expect: false or unknown
// property: valid-deref
// inputs: 3
// not shown by gcc: its sanitizer does not see the end of the array
// An array of variable length ends with its block.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), *p, r = 0;
    if (n < 1 || n > 4)
        return 0;
    {
        int v[n];
        v[0] = 1;
        p = v;
    }
    r = *p;
    return r;
}
