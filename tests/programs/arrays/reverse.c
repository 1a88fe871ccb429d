// expect: true
// A copy in the other order.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int a[90], b[90];
    for (int i = 0; i < 90; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 90; i++)
        b[89 - i] = a[i];
    for (int i = 0; i < 90; i++)
        if (b[89 - i] != a[i])
            reach_error();
    return 0;
}
