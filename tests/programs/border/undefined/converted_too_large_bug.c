// expect: false or unknown
// inputs: 1e10
// A number that does not fit is converted: this machine gives the smallest int.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x == 1e10))
        return 0;
    if ((int)x < 0)
        reach_error();
    return 0;
}
