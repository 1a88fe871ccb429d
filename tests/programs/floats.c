// expect: true
// Floats are not reals, but they are ordered.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    float x = (float)__VERIFIER_nondet_int();
    double y = x;
    if (y != x)
        reach_error();
    if (0.1f + 0.2f == 0.3)
        reach_error();
    return 0;
}
