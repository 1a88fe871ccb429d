// expect: false
// One arm of two is too far.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return 1 >> (n == 12345 ? 33 : 3); // bad
}
