// expect: false
// inputs: 2
// The value is exchanged where it is the expected one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int at = __VERIFIER_nondet_int(), expected = 2;
    int done = __atomic_compare_exchange_n(&at, &expected, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (done && at == 8)
        reach_error();
    return 0;
}
