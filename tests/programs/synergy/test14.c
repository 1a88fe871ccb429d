// expect: false
// Loops and diamonds together: a test goes through, an abstract path goes round ten times first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, a = 0, b = 0;
    int x = __VERIFIER_nondet_int();
    while (i < 10) {
        if (__VERIFIER_nondet_int()) a = a + 1; else a = a - 1;
        if (__VERIFIER_nondet_int()) b = b + 1; else b = b - 1;
        i = i + 1;
    }
    if (a < 0)
        reach_error();
    while (x > 0)
        x = x - 1;
    return b;
}
