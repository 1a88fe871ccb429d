// expect: true or unknown
// bits: 32
// inputs: 16777216
// gcc: -msse2 -mfpmath=sse
// With 32 bits, and floats as wide as their type, the one that is added is lost.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float big = __VERIFIER_nondet_float();
    if (big != 16777216.0f)
        return 0;
    if (big + 1.0f != big)
        reach_error();
    return 0;
}
