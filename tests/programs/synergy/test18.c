// expect: true
// As Figure 9, with a loop that may be left and a check behind it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int())
        y = y + x;
    if (y < 0)
        reach_error();
    return 0;
}
