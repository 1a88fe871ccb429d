// expect: true
// property: valid-deref
// inputs: 4
// An array of variable length has as many elements as its variable said then.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    {
        char v[n];
        v[n - 1] = 1;
        n = 10;
        return (int)sizeof v > n;
    }
}
