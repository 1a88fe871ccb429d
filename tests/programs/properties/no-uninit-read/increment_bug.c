// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int count, n = __VERIFIER_nondet_int();
    if (n == 0)
        count = 0;
    if (n >= 0)
        count++; // bad
    return 0;
}
