// expect: false
// A negative amount.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 32)
        return 5 >> n; // bad
    return 0;
}
