// expect: false
// property: valid-deref
// The address of a parameter is kept.
static int *kept;

static int keep(int n)
{
    kept = &n;
    return n;
}
int main(void)
{
    int r = keep(3);
    r += *kept;
    return r;
}
