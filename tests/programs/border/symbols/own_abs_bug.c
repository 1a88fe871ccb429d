// expect: false
// inputs: -3
// A static function with the name of abs does what its text says.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int abs(int n)
{
    return n < 0 ? 0 : n;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == -3 && abs(n) == 0)
        reach_error();
    return 0;
}
