// expect: true
// The length is known at run time only.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 100000)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = 7;
    for (int i = 0; i < n; i++)
        if (a[i] != 7)
            reach_error();
    return 0;
}
