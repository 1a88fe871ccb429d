/* Places with names; no routine is called. */
extern int __VERIFIER_nondet_int(void);

int run(void)
{
    int state = 1, rounds = 0;
again:
    if (state == 1) {
begin:
        state = 2;
        goto again;
    }
    if (state == 2) {
work:
        rounds = rounds + 1;
        state = __VERIFIER_nondet_int() ? 2 : 3;
        if (rounds < 100) {
            goto again;
        }
    }
finish:
    return state == 3;
}
