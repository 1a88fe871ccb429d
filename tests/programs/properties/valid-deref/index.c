// expect: false
// One behind the end of an array.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = { 0 }, n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 4)
        a[n] = 1; // bad
    return 0;
}
