// expect: false
// property: valid-deref
// inputs: 4
// An array of variable length does not grow with its variable.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    {
        char v[n];
        n = 10;
        v[n - 1] = 1;
        return (int)sizeof v > n;
    }
}
