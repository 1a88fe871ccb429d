// expect: false
// One entry of the table is zero.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int table[4] = { 3, 2, 0, 1 };
    unsigned i = __VERIFIER_nondet_uint();
    return 12 / table[i % 4]; // bad
}
