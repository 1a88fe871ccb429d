// expect: true
// A flag is up exactly while the resource is held.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int held = 0, flag = 0;
    while (__VERIFIER_nondet_int()) {
        if (flag) {
            if (!held)
                reach_error();
            held = 0;
            flag = 0;
        } else if (__VERIFIER_nondet_int()) {
            held = 1;
            flag = 1;
        }
    }
    return 0;
}
