// expect: false or unknown
// inputs: 300
// A char of an old-style function is cut where it arrives: 300 becomes 44.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int value(c)
unsigned char c;
{
    return c;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n != 300)
        return 0;
    if (value(n) == 44)
        reach_error();
    return 0;
}
