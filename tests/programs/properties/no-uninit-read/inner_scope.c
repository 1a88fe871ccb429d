// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 3; i++) {
        int x;
        if (i == 0)
            x = 1;
        else
            x = 2;
        sum += x;
    }
    return sum;
}
