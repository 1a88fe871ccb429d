// expect: true
// As Figure 1: a loop with a fixed number of rounds, then one that counts an input down.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int i = 0, c = 0;
    while (i < 10) {
        c = c + i;
        i = i + 1;
    }
    while (a > 0)
        a = a - 1;
    if (a > 0)
        reach_error();
    return c;
}
