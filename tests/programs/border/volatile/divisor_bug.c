// expect: false or unknown
// property: no-div-zero
// not shown by gcc: somebody else has to write the variable
// The variable is asked for, and read again.
volatile int by = 1;

int main(void)
{
    int n = by;
    if (n == 0)
        return 0;
    return 100 / by;
}
