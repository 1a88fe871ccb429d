// expect: true
// An int beside an unsigned is converted first.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    return a + 1u > 0u - a;
}
