// expect: true or unknown
// bits: 32
// inputs: 16777216
// A float that is stored loses the one that was added.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float big = __VERIFIER_nondet_float(), stored;
    if (big != 16777216.0f)
        return 0;
    stored = big + 1.0f;
    if (stored != big)
        reach_error();
    return stored == 0;
}
