extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };
int main(void)
{
    struct point p;
    p.x = __VERIFIER_nondet_int();
    p.y = 2;
    if (p.x > p.y && p.y > p.x)
        return 1;
    return p.x == 7 ? 3 : 4;
}
