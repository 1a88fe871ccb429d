// expect: true
// As Figure 3: the lock is held when the loop ends; how often it goes round depends on an input.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int generation = __VERIFIER_nondet_int();
    int requests = __VERIFIER_nondet_int();
    int held = 0, seen;
    do {
        held = 1;
        seen = generation;
        if (requests > 0) {
            held = 0;
            generation = generation + 1;
            requests = requests - 1;
        }
    } while (seen != generation);
    if (held != 1)
        reach_error();
    return 0;
}
