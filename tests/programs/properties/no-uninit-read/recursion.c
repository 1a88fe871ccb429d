// expect: true
extern int __VERIFIER_nondet_int(void);
static int depth(int n)
{
    int below;
    if (n <= 0)
        return 0;
    below = depth(n - 1);
    return below + 1;
}
int main(void)
{
    return depth(3);
}
