// expect: false
// Depth five is reached.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int depth(int n) { return __VERIFIER_nondet_int() && n < 10 ? depth(n + 1) : n; }

int main(void)
{
    if (depth(0) == 5)
        reach_error();
    return 0;
}
