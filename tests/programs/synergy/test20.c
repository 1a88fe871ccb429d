// expect: true
// Two counters in step, one of them bounded: preimages count to the bound.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0;
    while (__VERIFIER_nondet_int()) {
        if (i < 1000) {
            i = i + 1;
            j = j + 1;
        }
    }
    if (j > 1000)
        reach_error();
    return 0;
}
