// expect: false
extern int __VERIFIER_nondet_int(void);
static int a;
int main(void)
{
    int *p;
    if (__VERIFIER_nondet_int() != 8)
        p = &a;
    *p = 1; // bad
    return 0;
}
