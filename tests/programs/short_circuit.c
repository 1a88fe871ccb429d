// expect: true
// The right operand of && is not evaluated when the left is false.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), touched = 0;
    int *p = x ? &x : 0;
    if (p && (touched = 1) && *p == 0)
        reach_error();
    if (!x && touched)
        reach_error();
    return 0;
}
