// expect: true
// As test11, but each branch gives a lock away and takes it again.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int held = 1, i = 0, x = 0;
    while (i < 10) {
        held = 0;
        if (__VERIFIER_nondet_int()) {
            x = __VERIFIER_nondet_int();
            held = 1;
        } else {
            x = x - 1;
            held = 1;
        }
        i = i + 1;
    }
    if (held != 1)
        reach_error();
    while (x > 0)
        x = x - 1;
    return 0;
}
