// expect: false
// A counter without a bound.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    n++; // bad
    return n;
}
