// expect: true — the token's value is arbitrary, its distance from where it started is not.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int token, at;

static void pass(int station)
{
    if (at == station) {
        token += 1;
        at = station + 1;
    }
}

int main(void)
{
    token = __VERIFIER_nondet_int();
    int first = token;
    at = 0;
    while (at < 3) {
        if (__VERIFIER_nondet_int())
            pass(0);
        if (__VERIFIER_nondet_int())
            pass(1);
        if (__VERIFIER_nondet_int())
            pass(2);
    }
    if (token != first + 3)
        reach_error();
    return 0;
}
