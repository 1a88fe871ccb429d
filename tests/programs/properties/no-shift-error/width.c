// expect: false
// A shift by exactly the width.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int n = 0;
    while (n < 32)
        n += 8;
    return x >> n; // bad
}
