// expect: true
// Truncation towards zero, and the remainder that goes with it.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b == 0 || (a == -2147483647 - 1 && b == -1))
        return 0;
    if ((a / b) * b + a % b != a)
        reach_error();
    return 0;
}
