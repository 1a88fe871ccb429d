// expect: true
// Never below zero.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 100)
        return 1;
    while (n > 0)
        n--;
    return 0;
}
