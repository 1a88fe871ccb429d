// expect: true
// As Figure 1, without the fixed loop: what is counted down is not positive behind it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    while (a > 0)
        a = a - 1;
    if (a > 0)
        reach_error();
    return 0;
}
