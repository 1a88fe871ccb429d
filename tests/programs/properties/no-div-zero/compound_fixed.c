// expect: true
// Compound division by what is never zero.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long n = 1000;
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    n /= c + 1;
    return n > 3;
}
