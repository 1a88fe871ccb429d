// expect: false
// One step is longer.

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = 4, end = __VERIFIER_nondet_uint();
    while (x < end)
        x += 4 + (x == 40 ? 2 : 0);
    if (x % 4 == 2)
        reach_error();
    return 0;
}
