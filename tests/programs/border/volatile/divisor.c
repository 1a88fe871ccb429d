// expect: true
// property: no-div-zero
// The copy is asked for and used.
volatile int by = 1;

int main(void)
{
    int n = by;
    if (n == 0)
        return 0;
    return 100 / n;
}
