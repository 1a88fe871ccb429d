// expect: true
extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };
int main(void)
{
    struct point p, q;
    p.x = 1;
    q = p;
    return q.x;
}
