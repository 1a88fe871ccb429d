// expect: false
// A missing break: state 1 falls into state 2.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int state = __VERIFIER_nondet_int(), steps = 0;
    switch (state) {
    case 1:
        steps = 1;
    case 2:
        steps = steps * 2;
        break;
    case 3 ... 9:
        steps = 3;
        break;
    default:
        steps = 1;
    }
    if (state == 1 && steps != 1)
        reach_error();
    return 0;
}
