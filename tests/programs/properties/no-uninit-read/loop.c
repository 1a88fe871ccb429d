// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i = 0, last, n = __VERIFIER_nondet_int();
    do
        last = i++;
    while (i < n);
    return last;
}
