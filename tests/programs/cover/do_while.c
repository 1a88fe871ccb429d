extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int k = 0;
    do {
        k++;
    } while (n == k);
    return k;
}
