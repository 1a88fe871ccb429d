// expect: false or unknown
// bits: 32
// inputs: 1e300
// On the old floating-point unit a square that is not stored is not infinite.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), square;
    if (x != 1e300)
        return 0;
    square = x * x;
    if (x * x / x < 1e301)
        reach_error();
    return square == 0;
}
