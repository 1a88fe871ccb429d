// expect: true
// Requests are tried again a few times, then given up; how many requests there are nobody knows.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned requests = __VERIFIER_nondet_uint(), done = 0;
    int tries = 0, failed = 0;
    while (done != requests) {
        if (__VERIFIER_nondet_int()) {
            tries = 0;
            failed = 0;
            done++;
        } else if (tries == 4) {
            failed = 1;
            tries = 0;
            done++;
        } else {
            tries++;
            failed = 0;
        }
        if (done == 5000 && tries > 4)
            reach_error();
        if (done > 7000 && failed && tries != 0)
            reach_error();
    }
    return 0;
}
