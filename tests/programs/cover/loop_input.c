extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), s = 0;
    while (n > 0 && s < 20) {
        s++;
        n--;
    }
    if (s == 20)
        return 1;
    return 0;
}
