// expect: false
// inputs: 1e-40
// A float that is subnormal is classified by the function behind the macro.
extern void reach_error(void);
extern int __fpclassifyf(float x);
extern int __isinff(float x);
extern int __isnanf(float x);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (__fpclassifyf(x) == 3)
        reach_error();
    return 0;
}
