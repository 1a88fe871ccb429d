// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x, n = __VERIFIER_nondet_int();
    if (n == 6)
        x = 5;
    return n == 6 || x > 3; // bad
}
