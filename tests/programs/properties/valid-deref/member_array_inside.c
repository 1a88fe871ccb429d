// expect: true
// An array that is a member, and inside of it.
extern unsigned __VERIFIER_nondet_uint(void);

struct s { char a[4]; int b; };
int main(void)
{
    struct s s = { { 0 }, 1 };
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 4)
        s.a[i] = 1;
    return s.b + *(&s.a[4] - 1);
}
