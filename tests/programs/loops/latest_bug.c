// expect: false
// Forgotten after three rounds.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int first = 1, second = 2;
    int *last = &first;
    unsigned rounds = 0;
    while (__VERIFIER_nondet_int()) {
        rounds++;
        last = rounds == 4 ? 0 : &second;
    }
    if (last == 0)
        reach_error();
    return 0;
}
