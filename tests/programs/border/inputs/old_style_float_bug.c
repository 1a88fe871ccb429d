// expect: false
// inputs: 2
// A float of an old-style function arrives as what it was.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int half(x)
float x;
{
    return x == 0.5f;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n != 2)
        return 0;
    if (half(1.0f / n))
        reach_error();
    return 0;
}
