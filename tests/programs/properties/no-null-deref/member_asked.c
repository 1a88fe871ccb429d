// expect: true
// Nothing has no member.
extern int __VERIFIER_nondet_int(void);

struct s { int a, b; };
static int second(struct s *s)
{
    return s ? s->b : 0;
}
int main(void)
{
    struct s s = { 1, 2 };
    return second(__VERIFIER_nondet_int() > 3 ? &s : 0);
}
