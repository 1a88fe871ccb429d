// expect: false
// A bit is shifted into the sign.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a >= 0 && a < 4)
        return a << 30 > 1; // bad
    return 0;
}
