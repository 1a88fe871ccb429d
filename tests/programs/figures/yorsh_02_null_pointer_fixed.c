// expect: true
// After section 2.2 of Yorsh, Ball and Sagiv: the same with the bound mended.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int *px = 0;
    x = x + 1;
    if (x < 5)
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
