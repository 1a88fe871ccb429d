// expect: true
// A line is dialled, connected and hung up; bytes are sent only while it is connected, and are counted.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned sent = 0, budget = __VERIFIER_nondet_uint();
    int line = 0, carrier = 0, speed = 0;
    while (sent <= budget) {
        int event = __VERIFIER_nondet_int();
        if (line == 0 && event == 1) {
            line = 1;
        } else if (line == 1 && event == 2) {
            line = 2;
            carrier = 1;
            speed = 9600;
        } else if (line == 2 && event == 3) {
            if (sent == 3333 && (!carrier || speed != 9600))
                reach_error();
            sent++;
        } else if (line == 2 && event == 4) {
            line = 0;
            carrier = 0;
            speed = 0;
        }
        if (sent > 99999 && (line < 0 || line > 2))
            reach_error();
        if (sent == 0xffffffffu)
            break;
    }
    return 0;
}
