// expect: true
// property: valid-deref
// inputs: 0
// The address of a member is taken of a structure that is there.
extern int __VERIFIER_nondet_int(void);
struct pair {
    int a, b;
};

int main(void)
{
    struct pair here = {1, 2}, *p = __VERIFIER_nondet_int() ? &here : 0;
    int *q;
    if (!p)
        return 0;
    q = &p->b;
    *q = 5;
    return here.a - 1;
}
