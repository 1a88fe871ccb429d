// expect: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x, n = __VERIFIER_nondet_int();
    if (n > 4)
        x = 1;
    else if (n > 3)
        x = 2;
    return x; // bad
}
