// expect: true
// Row and column are inside.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int m[4][4] = { { 0 } };
    unsigned i = __VERIFIER_nondet_uint() & 3, j = __VERIFIER_nondet_uint() & 3;
    return m[i][j];
}
