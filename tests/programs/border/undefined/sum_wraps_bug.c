// expect: false or unknown
// inputs: 2147483647
// The sum overflows, and without optimisation it is the smallest number.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), more;
    more = n + 1;
    if (more < n)
        reach_error();
    return 0;
}
