// expect: false
// After section 2.2 of Yorsh, Ball and Sagiv: one input leads to a null pointer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int *px = 0;
    x = x + 1;
    if (x < 4)
        px = &x;
    if (px == &y)
        x = x + 1;
    if (x < 5) {
        if (px == 0)
            reach_error();
        *px = *px + 1;
    }
    return 0;
}
