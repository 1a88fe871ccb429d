// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x, n = __VERIFIER_nondet_int();
    if (n < 0)
        x = 5;
    return n <= 0 ? x : n; // bad
}
