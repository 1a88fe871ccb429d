// expect: true x
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n > 32;
}
