// expect: true
// The loop ends before zero.

int main(void)
{
    int i, sum = 0;
    for (i = 5; i > 0; i--)
        sum += 60 / i;
    return sum;
}
