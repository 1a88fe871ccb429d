// expect: true
// What a function returns is asked.
extern int __VERIFIER_nondet_int(void);

static int *find(int *a, int n, int x)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == x)
            return a + i;
    return 0;
}
int main(void)
{
    int a[2] = { 4, 5 };
    int *p = find(a, 2, __VERIFIER_nondet_int());
    return p ? *p : 0;
}
