// expect: false
// As Figure 1, with two rounds; the error needs one input after another.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int i = 0, c = 0;
    while (i < 2) {
        c = c + i;
        i = i + 1;
    }
    if (a > c)
        if (b > a)
            if (a + b == 77)
                reach_error();
    return 0;
}
