// expect: false
// One before the start of an array.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = { 0 }, n = __VERIFIER_nondet_int();
    if (n >= -1 && n < 4)
        return a[n]; // bad
    return 0;
}
