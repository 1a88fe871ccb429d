// expect: false
// The pointer is null for one input.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0, *p = __VERIFIER_nondet_int() == 5 ? 0 : &x;
    *p = 1; // bad
    return x;
}
