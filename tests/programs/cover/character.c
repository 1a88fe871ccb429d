extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char c = __VERIFIER_nondet_char();
    if (c >= '0' && c <= '9')
        return 1;
    if (c > 200)
        return 2;
    return 0;
}
