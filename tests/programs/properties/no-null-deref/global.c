// expect: false
// The global pointer is set too late.
extern int __VERIFIER_nondet_int(void);

static int x, *p;
static int use(void)
{
    return *p; // bad
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        p = &x;
    if (n >= 0)
        return use();
    return 0;
}
