// expect: true
// The minimum is left out.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 0 && a != -2147483647 - 1)
        a = -a;
    return a > 3;
}
