// expect: true — what is not known of a cell of memory is still the same the second time.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct session { int resumed; int state; };

int main(void)
{
    struct session s;
    struct session *p = &s;
    int skipped = 0;
    p->state = 1;
    while (__VERIFIER_nondet_int()) {
        if (p->state == 1) {
            p->state = p->resumed ? 3 : 2;
        } else if (p->state == 2) {
            skipped = 0;
            p->state = 3;
        } else if (p->state == 3) {
            if (p->resumed)
                skipped = 1;
            p->state = 4;
        } else {
            if (skipped && !p->resumed)
                reach_error();
            p->state = 1;
        }
    }
    return 0;
}
