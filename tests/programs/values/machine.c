// expect: true — a protocol whose state is a handful of constants; the counter never matters.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { IDLE = 10, SENT = 20, WAIT = 30, DONE = 40 };

int main(void)
{
    int state = IDLE, sent = 0, acknowledged = 0, rounds = 0;
    while (__VERIFIER_nondet_int()) {
        rounds++;
        switch (state) {
        case IDLE:
            sent = 1;
            state = SENT;
            break;
        case SENT:
            state = __VERIFIER_nondet_int() ? WAIT : IDLE;
            break;
        case WAIT:
            acknowledged = 1;
            state = DONE;
            break;
        case DONE:
            if (!sent || !acknowledged)
                reach_error();
            sent = acknowledged = 0;
            state = IDLE;
            break;
        default:
            reach_error();
        }
    }
    return rounds;
}
