// expect: true or unknown
// bits: 32
// inputs: 1e300
// Stored, the square is infinite.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), square;
    if (x != 1e300)
        return 0;
    square = x * x;
    if (square < 1e308)
        reach_error();
    return square == 0;
}
