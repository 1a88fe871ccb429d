// expect: true or unknown
// bits: 32
// inputs: 1, 3
// Both quotients are stored, and equal.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), stored, again;
    if (a != 1 || b != 3)
        return 0;
    stored = a / b;
    again = a / b;
    if (stored != again)
        reach_error();
    return 0;
}
