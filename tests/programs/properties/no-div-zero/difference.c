// expect: false
// Two numbers can be equal.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > 0 && a < 100 && b > 0 && b < 100)
        return 7 / (a - b); // bad
    return 0;
}
