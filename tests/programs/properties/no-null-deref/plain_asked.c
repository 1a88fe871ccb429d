// expect: true
// The pointer is asked first.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0, *p = __VERIFIER_nondet_int() == 5 ? 0 : &x;
    if (p)
        *p = 1;
    return x;
}
