// expect: true
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    if (x <= 0)
        for (;;)
            ;
    return 0;
}
