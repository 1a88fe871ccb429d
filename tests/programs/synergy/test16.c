// expect: true
// A loop without end, left only if two counters disagree; the check is behind it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int budget = __VERIFIER_nondet_int();
    int x = 1, y = 1;
    while (x == y) {
        if (budget > 0)
            budget = budget - 1;
        x = x + 1;
        y = y + 1;
    }
    reach_error();
    return 0;
}
