// expect: false
// What was copied changes before it is copied again.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int a[200], b[200], c[200];
    for (int i = 0; i < 200; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 200; i++)
        b[i] = a[i];
    b[7]++;
    for (int i = 0; i < 200; i++)
        c[i] = b[i];
    for (int i = 0; i < 200; i++)
        if (c[i] != a[i])
            reach_error();
    return 0;
}
