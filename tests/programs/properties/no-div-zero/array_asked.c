// expect: true
// No entry of the table is zero.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int table[4] = { 3, 2, 5, 1 };
    unsigned i = __VERIFIER_nondet_uint();
    return 12 / table[i % 4];
}
