// expect: false
// inputs: -5
// A char that is an input may be negative.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int c = __VERIFIER_nondet_char();
    if (c < 0)
        reach_error();
    return 0;
}
