// expect: true
// As Figure 3: a device is open exactly while there is work.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int work = __VERIFIER_nondet_int();
    int open = 0;
    while (work > 0) {
        open = 1;
        work = work - 1;
        if (work <= 0)
            open = 0;
    }
    if (open == 1)
        reach_error();
    return 0;
}
