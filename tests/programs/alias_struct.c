// expect: true
// Two pointers to one structure: a write through one is seen through the other.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct lock { int held; };

int main(void)
{
    struct lock a = { 0 }, b = { 0 };
    struct lock *p = __VERIFIER_nondet_int() ? &a : &b, *q = p;
    q->held = 1;
    if (!p->held)
        reach_error();
    if (a.held && b.held)
        reach_error();
    return 0;
}
