// expect: true
// A counter with a bound.

int main(void)
{
    int n = 0, i;
    for (i = 0; i < 50; i++)
        n = i;
    return n;
}
