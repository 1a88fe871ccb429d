// expect: true or unknown
// bits: 32
// inputs: 1, 3
// gcc: -msse2 -mfpmath=sse
// With 32 bits, and floats as wide as their type, a quotient is what was stored of it.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), stored;
    if (a != 1 || b != 3)
        return 0;
    stored = a / b;
    if (stored != a / b)
        reach_error();
    return 0;
}
