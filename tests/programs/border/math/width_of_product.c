// expect: true or unknown
// bits: 32
// inputs: 1e300
// gcc: -msse2 -mfpmath=sse
// With 32 bits, and floats as wide as their type, the square is infinite before it is stored.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x != 1e300)
        return 0;
    if (x * x / x < 1e301)
        reach_error();
    return 0;
}
