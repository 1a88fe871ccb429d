// expect: true
// As Figure 1, with two rounds and a check of the counter.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, c = 0;
    while (i < 2) {
        c = c + 1;
        i = i + 1;
    }
    if (c != 2)
        reach_error();
    return 0;
}
