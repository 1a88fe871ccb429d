// expect: true
// inputs: -5
// A char that is an input fits into a byte.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int c = __VERIFIER_nondet_char();
    if (c < -128 || c > 127)
        reach_error();
    return 0;
}
