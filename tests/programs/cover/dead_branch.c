extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x & 7;
    if (y > 7)
        return 1;
    return 0;
}
