// expect: true
// The product is computed in a wider type.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    long p = (long)a * b;
    return p > 12;
}
