// expect: false or unknown
// bits: 32
// inputs: 16777216
// On the old floating-point unit a sum of floats keeps the one that was added.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float big = __VERIFIER_nondet_float(), stored;
    if (big != 16777216.0f)
        return 0;
    stored = big + 1.0f;
    if (big + 1.0f != big)
        reach_error();
    return stored == 0;
}
