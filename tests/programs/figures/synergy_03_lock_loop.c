// expect: true
// After SYNERGY Figure 3: the lock is held exactly when the generation did not move.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct lock { int held; } door;

int main(void) {
    int generation = __VERIFIER_nondet_int();
    int seen;
    door.held = 0;
    do {
        door.held = 1;
        seen = generation;
        if (__VERIFIER_nondet_int()) {
            door.held = 0;
            generation++;
        }
    } while (seen != generation);
    if (door.held != 1)
        reach_error();
    return 0;
}
