// expect: true
// The divisor is asked first.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    return a ? 100 / a : 0;
}
