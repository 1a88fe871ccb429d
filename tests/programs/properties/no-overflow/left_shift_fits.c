// expect: true
// Small numbers, and unsigned ones of any size.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
    u <<= 31;
    if (a >= 0 && a < 16)
        return a << 27 > 1 && u;
    return 0;
}
