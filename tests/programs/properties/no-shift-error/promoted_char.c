// expect: true
// A char is shifted as an int: 8 and more is not too far.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    return c >> 8 | c << 20;
}
