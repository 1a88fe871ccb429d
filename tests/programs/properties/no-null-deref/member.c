// expect: false
// A member of nothing.
extern int __VERIFIER_nondet_int(void);

struct s { int a, b; };
static int second(struct s *s)
{
    return s->b; // bad
}
int main(void)
{
    struct s s = { 1, 2 };
    return second(__VERIFIER_nondet_int() > 3 ? &s : 0);
}
