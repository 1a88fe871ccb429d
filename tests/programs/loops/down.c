// expect: true
// A counter that goes down stays above its floor.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), floor = __VERIFIER_nondet_int();
    if (floor > i)
        return 0;
    while (i > floor)
        i--;
    if (i != floor)
        reach_error();
    return 0;
}
