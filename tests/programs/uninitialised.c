// expect: false
// A variable that nobody wrote holds anything.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x, y;
    if (__VERIFIER_nondet_int())
        y = x;
    else
        y = 1;
    if (y == 7)
        reach_error();
    return 0;
}
