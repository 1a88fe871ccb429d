// expect: true
// Structures are passed and returned by value.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pair { int a, b; };
static struct pair swap(struct pair p)
{
    int t = p.a;
    p.a = p.b;
    p.b = t;
    return p;
}

int main(void)
{
    struct pair p = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
    struct pair q = swap(swap(p)), r = swap(p);
    if (q.a != p.a || q.b != p.b || r.a != p.b)
        reach_error();
    return 0;
}
