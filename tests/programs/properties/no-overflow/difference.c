// expect: false
// The subtraction of the minimum.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a >= 0)
        return a - (-2147483647 - 1) > 5; // bad
    return 0;
}
