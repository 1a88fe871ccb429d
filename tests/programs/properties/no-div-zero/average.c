// expect: false
// The average of nothing.
extern int __VERIFIER_nondet_int(void);

static int average(int sum, int count)
{
    return sum / count; // bad
}
int main(void)
{
    int n = 0, sum = 0, x;
    while (n < 3 && (x = __VERIFIER_nondet_int()) > 0 && x < 100) {
        sum += x;
        n++;
    }
    return average(sum, n);
}
