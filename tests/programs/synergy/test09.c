// expect: false
// Figure 7: two conditions that random inputs hardly meet.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x != y)
        if (2 * x == x + 10)
            reach_error();
    return 0;
}
