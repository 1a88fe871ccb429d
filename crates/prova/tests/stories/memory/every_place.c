// check: --property valid-deref
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int counts[4] = {0, 0, 0, 0};
    int i = __VERIFIER_nondet_int();
    if (i == 4)
        return counts[i];
    if (i == -1)
        counts[i] = 5;
    return 0;
}
