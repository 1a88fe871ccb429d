// expect: false
// The error lies behind a hundred thousand inputs: nothing but patience finds it.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[100000], b[100000];
    int i;
    for (i = 0; i < 100000; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < 100000; i++)
        b[i] = a[i];
    b[99990] = b[99990] ^ 1;
    for (i = 0; i < 100000; i++)
        if (a[i] != b[i])
            reach_error();
    return 0;
}
