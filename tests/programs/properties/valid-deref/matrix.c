// expect: false (not native)
// The column runs into the next row.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int m[2][3] = { { 0 } };
    unsigned j = __VERIFIER_nondet_uint() & 3;
    return m[0][j]; // bad
}
