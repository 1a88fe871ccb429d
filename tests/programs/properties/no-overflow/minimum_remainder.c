// expect: false
// The remainder is undefined with the quotient.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = -1;
    return a % b; // bad
}
