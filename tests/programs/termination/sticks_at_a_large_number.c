// expect: false
// No test meets this number by chance.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        if (n != 12345678)
            n--;
    }
    return 0;
}
