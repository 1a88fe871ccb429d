// expect: true
// Whatever bits a NaN has, they tell that it is one.

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

union view { float f; unsigned i; };

int main(void)
{
    union view v;
    float x = __VERIFIER_nondet_float();
    v.f = x;
    if ((x != x) != ((v.i & 0x7fffffff) > 0x7f800000))
        reach_error();
    return 0;
}
