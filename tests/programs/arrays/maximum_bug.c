// expect: false
// The last element is not looked at.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = __VERIFIER_nondet_int();
    int most = a[0];
    for (int i = 1; i < 99; i++)
        if (a[i] > most)
            most = a[i];
    for (int i = 0; i < 100; i++)
        if (a[i] > most)
            reach_error();
    return 0;
}
