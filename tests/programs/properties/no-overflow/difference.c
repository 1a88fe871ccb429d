// expect: false
// The subtraction of the minimum.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = -2147483647 - 1;
    if (a >= 0)
        return a - b; // bad
    return 0;
}
