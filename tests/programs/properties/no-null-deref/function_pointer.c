// expect: false (not native)
// A call of no function.
extern int __VERIFIER_nondet_int(void);

static int one(void) { return 1; }
int main(void)
{
    int (*f)(void) = __VERIFIER_nondet_int() == 3 ? 0 : one;
    return f(); // bad
}
