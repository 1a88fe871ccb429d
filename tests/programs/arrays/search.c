// expect: true
// What a search passed over is not what it looked for.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);


int main(void) {
    int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (n <= 0 || n > 5000)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int at = 0;
    while (at < n && a[at] != x)
        at++;
    for (int i = 0; i < at; i++)
        if (a[i] == x)
            reach_error();
    return 0;
}
