// expect: true
// inputs: 1
// A truth value that is an input is 0 or 1.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int b = __VERIFIER_nondet_bool();
    if (b != 0 && b != 1)
        reach_error();
    return 0;
}
