// expect: false
// property: valid-deref
// inputs: 0
// The address of a member of nothing is written.
extern int __VERIFIER_nondet_int(void);
struct pair {
    int a, b;
};

int main(void)
{
    struct pair here = {1, 2}, *p = __VERIFIER_nondet_int() ? &here : 0;
    int *q;
    q = &p->b;
    *q = 5;
    return here.a - 1;
}
