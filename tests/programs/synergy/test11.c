// expect: true
// A fixed number of rounds with arbitrary branches in them; the lock is looked at behind the loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int held = 1, i = 0, x = 0;
    while (i < 10) {
        if (__VERIFIER_nondet_int())
            x = __VERIFIER_nondet_int();
        else
            x = x - 1;
        i = i + 1;
    }
    while (x > 0)
        x = x - 1;
    if (held != 1)
        reach_error();
    return x;
}
