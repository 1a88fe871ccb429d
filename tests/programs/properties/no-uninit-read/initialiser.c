// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[4] = { 1 }, n = __VERIFIER_nondet_int();
    return a[n & 3];
}
