// expect: true
// inputs: 1e-40
// The functions behind the macros, as preprocessed programs call them.
extern void reach_error(void);
extern int __fpclassifyf(float x);
extern int __isinff(float x);
extern int __isnanf(float x);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (__isinff(x) && __isnanf(x))
        reach_error();
    return 0;
}
