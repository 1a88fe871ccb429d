// expect: false
// A NaN has a sign of its own: its bits are not those of one particular NaN.

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

union view { float f; int i; };

int main(void)
{
    union view v;
    float x = __VERIFIER_nondet_float();
    v.f = x;
    if (x != x && v.i < 0)
        reach_error();
    return 0;
}
