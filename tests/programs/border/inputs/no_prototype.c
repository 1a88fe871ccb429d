// expect: true
// inputs: 7
// A function without a prototype gets its arguments promoted.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice();

int main(void)
{
    char c = (char)__VERIFIER_nondet_int();
    if (c != 7)
        return 0;
    if (twice(c) != 14)
        reach_error();
    return 0;
}
static int twice(n)
int n;
{
    return 2 * n;
}
