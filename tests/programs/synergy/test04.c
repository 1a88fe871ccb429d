// expect: false
// Figure 1 with ten rounds: the error needs an input, not a way around the loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int i = 0, c = 0;
    while (i < 10) {
        c = c + i;
        i = i + 1;
    }
    if (a > 0)
        reach_error();
    return c;
}
