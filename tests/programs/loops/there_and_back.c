// expect: true
// A value is moved a number of steps and back again. What it was entered with is nowhere kept, and
// what is known of that is no linear relation.

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    unsigned n = __VERIFIER_nondet_uint();
    if ((x ^ y) != 85 || n > 1000)
        return 0;
    unsigned i = 0;
    while (i < n) {
        x += 3;
        i++;
    }
    while (i > 0) {
        x -= 3;
        i--;
    }
    if ((x ^ y) != 85)
        reach_error();
    return 0;
}
