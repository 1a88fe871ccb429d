// expect: true
// After DASH Figure 6: one procedure called twice.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int inc(int value) {
    return value + 1;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int a = inc(x);
    int b = inc(a);
    if (b != x + 2)
        reach_error();
    return 0;
}
