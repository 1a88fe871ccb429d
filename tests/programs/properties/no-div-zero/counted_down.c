// expect: false
// The loop reaches zero.

int main(void)
{
    int i, sum = 0;
    for (i = 5; i >= 0; i--)
        sum += 60 / i; // bad
    return sum;
}
