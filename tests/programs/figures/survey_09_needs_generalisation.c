// expect: true
// After Figure 9 of the survey: the invariant x == y && x >= 0 stands nowhere in the text.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        y++;
    }
    while (x > 0) {
        x--;
        y--;
    }
    if (y != 0)
        reach_error();
    return 0;
}
