// expect: false
// One element is lost on the way.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[5000], b[5000], c[5000], d[5000];
    int i;
    for (i = 0; i < 5000; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < 5000; i++)
        b[i] = a[i];
    for (i = 0; i < 5000; i++)
        c[i] = i == 4711 ? 0 : b[i];
    for (i = 0; i < 5000; i++)
        d[i] = c[i];
    for (i = 0; i < 5000; i++)
        if (d[i] != a[i])
            reach_error();
    return 0;
}
