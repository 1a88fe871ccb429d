// expect: false
// A pointer walks one step too far.

int main(void)
{
    char a[5] = { 1, 2, 3, 4, 5 }, *p;
    int sum = 0;
    for (p = a; p <= a + 5; p++)
        sum += *p; // bad
    return sum;
}
