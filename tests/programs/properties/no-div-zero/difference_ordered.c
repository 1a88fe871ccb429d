// expect: true
// One is larger than the other.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > 0 && a < b && b < 100)
        return 7 / (b - a);
    return 0;
}
