// expect: false
// After Figure 6 of Yorsh, Ball and Sagiv: the error is a long and unlikely run away.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            n = n + 1;
            if (n > 500)
                n = 500;
        } else {
            if (n == 500)
                reach_error();
            n = 0;
        }
    }
    return 0;
}
