// expect: false
// One cell is written again.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long size);


int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 100000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 1;
    a[n - 1] = 0;
    for (int i = 0; i < n; i++)
        if (a[i] < 1)
            reach_error();
    return 0;
}
