// expect: true
// inputs: -3
// A static function with the name of abs is the program's.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int abs(int n)
{
    return n < 0 ? 0 : n;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (abs(n) < 0)
        reach_error();
    return 0;
}
