// expect: false
// Unsigned arithmetic wraps: x + 1 can be zero.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x + 1 == 0)
        reach_error();
    return 0;
}
