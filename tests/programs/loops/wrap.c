// expect: true
// An unsigned counter that wraps by an even step stays odd.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = 1;
    while (__VERIFIER_nondet_int())
        x += 6;
    if (x == 0)
        reach_error();
    return 0;
}
