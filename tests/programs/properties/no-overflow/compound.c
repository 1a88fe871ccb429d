// expect: false (not native)
// Compound assignment computes at the promoted type; gcc may compute less.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    short s = 2;
    s *= a; // bad
    return s;
}
