// expect: true or unknown
// inputs: 2147483647
// A number below the greatest has a greater one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), more;
    if (n == 2147483647)
        return 0;
    more = n + 1;
    if (more < n)
        reach_error();
    return 0;
}
