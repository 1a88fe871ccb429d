// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[4], i;
    for (i = 0; i < 4; i++)
        a[i] = __VERIFIER_nondet_int();
    return a[0] > a[3];
}
