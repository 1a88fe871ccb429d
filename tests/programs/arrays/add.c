// expect: true
// The sum of two arrays, cell by cell.

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);


int main(void) {
    unsigned a[150], b[150], c[150];
    for (int i = 0; i < 150; i++) {
        a[i] = __VERIFIER_nondet_uint();
        b[i] = __VERIFIER_nondet_uint();
    }
    for (int i = 0; i < 150; i++)
        c[i] = a[i] + b[i];
    for (int i = 0; i < 150; i++)
        if (c[i] != a[i] + b[i])
            reach_error();
    return 0;
}
