// expect: false (not native)
// An array that is a member is left for the next member.
extern unsigned __VERIFIER_nondet_uint(void);

struct s { char a[4]; int b; };
int main(void)
{
    struct s s = { { 0 }, 1 };
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 5)
        s.a[i] = 1; // bad
    return s.b;
}
