extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 0;
    x > 100 ? (y = 1) : (y = 2);
    return y;
}
