extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 100);
    if (x < 50)
        return 1;
    return 0;
}
