// expect: true
// After Figure 6 of the survey: the shape of a network driver's loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int LOCK = 0;

int main(void) {
    int old, packets = __VERIFIER_nondet_int();
    do {
        LOCK = 1;
        old = packets;
        if (__VERIFIER_nondet_int()) {
            LOCK = 0;
            packets++;
        }
    } while (packets != old);
    if (LOCK == 0)
        reach_error();
    LOCK = 0;
    return 0;
}
