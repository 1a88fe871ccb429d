// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double d;
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        d = 1.5;
    return d > 1.0; // bad
}
