// expect: true
extern int __VERIFIER_nondet_int(void);
static int a, b;
int main(void)
{
    int *p;
    if (__VERIFIER_nondet_int())
        p = &a;
    else
        p = &b;
    *p = 1;
    return *p;
}
