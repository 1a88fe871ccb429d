// expect: true
// A short times a short fits an int; the conversion back is no overflow.
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    short s = __VERIFIER_nondet_short();
    s *= s;
    return s;
}
