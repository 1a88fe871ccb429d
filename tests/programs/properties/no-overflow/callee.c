// expect: false
// The overflow lies in a function, with the arguments of one call.
extern int __VERIFIER_nondet_int(void);

static int twice(int x)
{
    return x + x; // bad
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (twice(a % 100) == 7)
        return 1;
    return twice(a);
}
