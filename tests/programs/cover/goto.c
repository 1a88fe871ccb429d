extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
again:
    if (x > 3 && x < 8) {
        x--;
        goto again;
    }
    if (x == 5)
        return 1;
    return 0;
}
