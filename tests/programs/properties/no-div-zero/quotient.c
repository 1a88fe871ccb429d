// expect: false
// An arbitrary divisor.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    return 100 / a; // bad
}
