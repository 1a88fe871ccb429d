extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int v[4] = {3, 1, 4, 1};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    if (v[i] == 4)
        return 1;
    if (v[i] == 9)
        return 2;
    return 3;
}
