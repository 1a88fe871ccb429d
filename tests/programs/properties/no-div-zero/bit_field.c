// expect: false
// A bit-field of one bit.
extern int __VERIFIER_nondet_int(void);

struct s { unsigned b : 1; };
int main(void)
{
    struct s s;
    s.b = 2 + (__VERIFIER_nondet_int() != 0);
    return 3 % s.b; // bad
}
