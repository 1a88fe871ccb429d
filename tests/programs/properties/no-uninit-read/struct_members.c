// expect: true
extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };
int main(void)
{
    struct point p;
    p.x = 1;
    if (__VERIFIER_nondet_int())
        p.y = 2;
    else
        return p.x;
    return p.x + p.y;
}
