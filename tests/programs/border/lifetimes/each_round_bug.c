// expect: false
// property: valid-deref
// The pointer leads to the variable of the round before.

int main(void)
{
    int i, sum = 0, *p = 0;
    for (i = 0; i < 2; i++) {
        int x = i;
        if (p)
            sum += *p;
        p = &x;
    }
    sum += *p;
    return sum;
}
