// expect: false
// The inner loop passes the outer one by one.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i + 1; j++)
            if (j >= n)
                reach_error();
    return 0;
}
