// expect: false
// inputs: 1
// A truth value that is an input may be 1.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int b = __VERIFIER_nondet_bool();
    if (b == 1)
        reach_error();
    return 0;
}
