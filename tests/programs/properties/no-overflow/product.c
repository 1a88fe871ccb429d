// expect: false
// The product of two numbers that are each small enough.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a > 0 && a < 100000)
        return a * 50000 > 7; // bad
    return 0;
}
