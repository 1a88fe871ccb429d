// expect: false
// Compound shift.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 1;
    x <<= __VERIFIER_nondet_uint(); // bad
    return x;
}
