// expect: true
// Large elements are cut in a second pass.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int a[250];
    for (int i = 0; i < 250; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 250; i++)
        if (a[i] > 100)
            a[i] = 100;
    for (int i = 0; i < 250; i++)
        if (a[i] > 100)
            reach_error();
    return 0;
}
