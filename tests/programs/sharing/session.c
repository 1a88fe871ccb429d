// expect: true
// A session goes through three phases while messages are counted: the count has no bound, the phases
// do. Who follows values sees the phases long before the count ends.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned limit = __VERIFIER_nondet_uint(), sent = 0;
    int phase = 10, held = 0;
    while (sent < limit) {
        switch (phase) {
        case 10:
            held = 1;
            phase = 20;
            break;
        case 20:
            if (__VERIFIER_nondet_int())
                phase = 30;
            break;
        case 30:
            held = 0;
            phase = 10;
            break;
        default:
            if (sent == 4001)
                reach_error();
        }
        // Only a message that is reached by counting asks.
        if (sent % 1000 == 77 && phase == 20 && !held)
            reach_error();
        sent += 2;
    }
    return 0;
}
