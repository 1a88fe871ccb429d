// expect: true
// As Figure 9, one step further away: the step grows by what stays zero.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0, z = 0;
    while (__VERIFIER_nondet_int()) {
        y = y + x;
        x = x + z;
    }
    if (y < 0)
        reach_error();
    return 0;
}
