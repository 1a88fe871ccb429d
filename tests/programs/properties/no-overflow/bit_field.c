// expect: true
// A narrow bit-field is an int in arithmetic.
extern int __VERIFIER_nondet_int(void);

struct flags { int low : 5; unsigned high : 7; };
int main(void)
{
    struct flags f = { 0, 0 };
    f.low = __VERIFIER_nondet_int();
    f.high = __VERIFIER_nondet_int();
    f.low++;
    return f.low - f.high * 1000;
}
