// expect: true
// Inside of the array.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = { 0 }, n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 4)
        a[n] = 1;
    return 0;
}
