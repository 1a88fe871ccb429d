// expect: false
// As Figure 1, with a loop that any test leaves: the first test fails.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int c = 0;
    while (__VERIFIER_nondet_int())
        c = c + 1;
    if (c >= 0)
        reach_error();
    return 0;
}
