extern int __VERIFIER_nondet_int(void);
/* Both conditions say the same: the second decides only where the first does. */
int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a > 3 && a > 2)
        return 1;
    return 0;
}
