// expect: true
// property: valid-deref
// The pointer is set in each round before it is used.

int main(void)
{
    int i, sum = 0, *p = 0;
    for (i = 0; i < 2; i++) {
        int x = i;
        p = &x;
        if (p)
            sum += *p;
    }
    return sum;
}
