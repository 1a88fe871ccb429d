// expect: true
// A check inside of a loop without end: the counter and its copy agree in every round.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int count = 0, copy = 0;
    while (1) {
        count = count + 1;
        copy = count;
        if (copy != count)
            reach_error();
    }
    return 0;
}
