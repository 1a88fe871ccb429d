extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 5;
    int *p = &y;
    if (x == 3)
        p = &x;
    if (*p == 3)
        return 1;
    if (*p == 4)
        return 2;
    return 0;
}
