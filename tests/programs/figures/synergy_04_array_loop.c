// expect: false
// After SYNERGY Figure 4: as Figure 1, but the two values share an array.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int pair[2];
    int i = 0, j = 1;
    pair[0] = __VERIFIER_nondet_int();
    pair[j] = 0;
    while (i < 1000) {
        pair[j] = pair[j] + i;
        i = i + 1;
    }
    if (pair[0] <= 0)
        reach_error();
    return 0;
}
