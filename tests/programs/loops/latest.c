// expect: true
// A pointer to what was seen last: never null once there was something.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int first = 1, second = 2, third = 3;
    int *last = &first;
    unsigned rounds = 0;
    while (__VERIFIER_nondet_int()) {
        rounds++;
        if (__VERIFIER_nondet_int())
            last = &second;
        else if (last == &second)
            last = &third;
    }
    if (last == 0)
        reach_error();
    return 0;
}
