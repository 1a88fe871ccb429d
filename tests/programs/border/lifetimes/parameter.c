// expect: true
// property: valid-deref
// The address of a parameter is used while the function runs.
static int *kept;

static int keep(int n)
{
    kept = &n;
    return *kept;
}
int main(void)
{
    int r = keep(3);
    return r;
}
