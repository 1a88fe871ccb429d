// expect: false
// As Figure 7: the second condition is about a value that was computed.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int z = 3 * y;
    if (x > z)
        if (x - y == 1234)
            reach_error();
    return 0;
}
