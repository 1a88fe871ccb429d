// expect: false
extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };
int main(void)
{
    struct point p, q;
    q.y = 7;
    p.x = __VERIFIER_nondet_int();
    q = p;
    if (q.x > 5)
        return q.y; // bad
    return 0;
}
