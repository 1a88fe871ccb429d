// expect: true
// The address of a member is computed, nothing is accessed.
extern int __VERIFIER_nondet_int(void);

struct s { int a, b; };
int main(void)
{
    struct s s = { 1, 2 }, *p = __VERIFIER_nondet_int() ? &s : 0;
    int *q = p ? &p->b : 0;
    return q ? *q : 0;
}
