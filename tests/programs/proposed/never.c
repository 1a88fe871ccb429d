// function: never
// proved: no
// says: open:
// No condition on the parameters helps: the global variable is what matters.
static int divisor;

int never(int x)
{
    return 100 / divisor + 0 * x;
}
