// expect: true
// bits: 64
// inputs: 16777216
// With 64 bits a sum of floats is a float: the one that was added is lost.
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
