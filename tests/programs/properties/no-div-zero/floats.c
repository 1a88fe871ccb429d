// expect: true
// Division of floating numbers by zero is defined by IEEE 754.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double d = __VERIFIER_nondet_int();
    return 1.0 / d > 2.0;
}
