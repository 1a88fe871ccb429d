// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        if (n != 5)
            n--;
    }
    return 0;
}
