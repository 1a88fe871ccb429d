// expect: false
// A char is shifted as an int, and 32 is too far for one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    unsigned char n = (unsigned char)__VERIFIER_nondet_int();
    if (n <= 32)
        return c >> n; // bad
    return 0;
}
