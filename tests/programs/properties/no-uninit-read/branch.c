// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x;
    if (__VERIFIER_nondet_int() > 4)
        x = 1;
    else
        x = 2;
    return x;
}
