// expect: true
// The right operand is read only if the left one holds.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 7, *p = __VERIFIER_nondet_int() ? &x : 0;
    return p && *p > 3;
}
