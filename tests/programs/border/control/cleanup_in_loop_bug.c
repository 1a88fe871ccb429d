// expect: false
// inputs: 3
// Each round of a loop cleans up, also the round that breaks.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int cleaned;

static void clean(int *at)
{
    cleaned += *at;
}
int main(void)
{
    int i, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    for (i = 0; i < 4; i++) {
        __attribute__((cleanup(clean))) int one = 1;
        if (i == n)
            break;
    }
    if (cleaned != n && n == 3)
        reach_error();
    return 0;
}
