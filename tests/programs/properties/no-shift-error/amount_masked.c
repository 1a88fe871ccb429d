// expect: true
// The amount is masked.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return 1u << (n & 31) > 5;
}
