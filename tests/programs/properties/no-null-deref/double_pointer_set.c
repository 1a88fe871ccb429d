// expect: true
// The inner pointer is set on both ways.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1, y = 2, *p = 0, **q = &p;
    if (__VERIFIER_nondet_int() != 4)
        *q = &x;
    else
        p = &y;
    return **q;
}
