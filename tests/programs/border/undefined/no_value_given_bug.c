// expect: false or unknown
// bits: 64
// not shown by gcc: what the variable contains is left open
// A variable has any value where it gets none.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x;
    if (__VERIFIER_nondet_int())
        x = 1;
    if (x != 1 && x != 2)
        reach_error();
    return 0;
}
