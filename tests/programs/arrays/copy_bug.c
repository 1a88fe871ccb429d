// expect: false
// The copy is one cell off.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int a[400], b[400];
    for (int i = 0; i < 400; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 400; i++)
        b[i] = a[i ? i - 1 : 0];
    for (int i = 0; i < 400; i++)
        if (a[i] != b[i])
            reach_error();
    return 0;
}
