// expect: true
// No entry is empty.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a = 1, b = 2;
    int *table[2] = { &a, &b };
    unsigned i = __VERIFIER_nondet_uint() & 1;
    return *table[i];
}
