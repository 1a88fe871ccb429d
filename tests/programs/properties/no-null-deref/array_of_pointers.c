// expect: false
// One entry of the table is empty.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a = 1, b = 2;
    int *table[3] = { &a, 0, &b };
    unsigned i = __VERIFIER_nondet_uint() & 1;
    return *table[i]; // bad
}
