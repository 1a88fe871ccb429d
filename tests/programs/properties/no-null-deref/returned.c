// expect: false
// What a function returns can be null.
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
    return *find(a, 2, __VERIFIER_nondet_int()); // bad
}
