// expect: false
// Two pointers that may be one: the second write undoes the first.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct lock { int held; };

int main(void)
{
    struct lock a = { 0 }, b = { 0 };
    struct lock *p = __VERIFIER_nondet_int() ? &a : &b;
    struct lock *q = __VERIFIER_nondet_int() ? &a : &b;
    p->held = 1;
    q->held = 0;
    if (!p->held)
        reach_error();
    return 0;
}
