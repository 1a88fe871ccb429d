// expect: false
// The minimum has no positive counterpart.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        a = -a; // bad
    return a > 3;
}
