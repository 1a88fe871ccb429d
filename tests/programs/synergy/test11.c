// expect: true
// A fixed number of rounds with arbitrary branches in them; what the loop ends with is looked at behind it.
// The loop at the end matters to nobody who looks for the error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, x = 0;
    while (i < 10) {
        if (__VERIFIER_nondet_int())
            x = __VERIFIER_nondet_int();
        else
            x = x - 1;
        i = i + 1;
    }
    if (i < 10)
        reach_error();
    while (x > 0)
        x = x - 1;
    return 0;
}
