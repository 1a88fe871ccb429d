// expect: true
// An elevator moves only with its door closed, for as many rides as there are.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned rides = __VERIFIER_nondet_uint();
    int door = 7, motor = 3, light = 5;
    for (unsigned i = 0; i < rides; i += 2) {
        if (door == 7 && motor == 3) {
            if (__VERIFIER_nondet_int()) {
                door = 8;
                light = 6;
            }
        } else if (door == 8 && motor == 3) {
            motor = 4;
        } else if (motor == 4) {
            if (i == 4444 && door != 8)
                reach_error();
            motor = 3;
            door = 7;
            light = 5;
        }
        if (i == 777778 && motor == 4 && light != 6)
            reach_error();
    }
    return 0;
}
