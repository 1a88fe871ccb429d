// expect: true
// Two state machines hand one token on.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int left = 1, right = 0;
    while (__VERIFIER_nondet_int()) {
        if (left == 1 && right == 0) {
            left = 0;
            right = 2;
        } else if (right == 2) {
            right = 1;
        } else if (right == 1 && left == 0) {
            right = 0;
            left = 1;
        }
        if (left == 1 && right != 0)
            reach_error();
    }
    return 0;
}
