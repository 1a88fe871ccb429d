// expect: true
// Figure 6: no bisimulation is finite, but no abstract path reaches the error.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int y = __VERIFIER_nondet_int();
    while (y > 0)
        y = y - 1;
    __VERIFIER_assume(0);
    reach_error();
    return 0;
}
