// expect: false
// A negative number is shifted to the left.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 10)
        return a << 1 > 9; // bad
    return 0;
}
