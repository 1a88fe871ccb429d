// expect: true
// A table of functions indexed by a checked number.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*const table[])(int) = { one, two };

int main(void)
{
    int k = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (k < 0 || k > 1 || x < 0 || x > 100)
        return 0;
    int y = table[k](x);
    if (y <= x || y > x + 2)
        reach_error();
    return 0;
}
