// expect: false
// Two unsigned shorts are multiplied as ints.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned short s = (unsigned short)__VERIFIER_nondet_int();
    unsigned u = s * s; // bad
    return u > 5;
}
