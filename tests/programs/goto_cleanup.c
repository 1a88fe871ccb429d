// expect: true
// The usual error handling with goto.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int acquired;

static int work(void)
{
    int result = -1;
    acquired++;
    if (__VERIFIER_nondet_int())
        goto out;
    acquired++;
    if (__VERIFIER_nondet_int())
        goto release;
    result = 0;
release:
    acquired--;
out:
    acquired--;
    return result;
}

int main(void)
{
    work();
    if (acquired)
        reach_error();
    return 0;
}
