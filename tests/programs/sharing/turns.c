// expect: true
// Three parties take turns, each with a mark of its own; points add up without an end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int turn = 1, mark = 100;
    unsigned points = 0;
    while (__VERIFIER_nondet_int()) {
        points += 3;
        if (turn == 1) {
            turn = 2;
            mark = 200;
        } else if (turn == 2) {
            turn = 3;
            mark = 300;
        } else {
            turn = 1;
            mark = 100;
        }
        if (points == 77 && mark != turn * 100)
            reach_error();
    }
    return 0;
}
