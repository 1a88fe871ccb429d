// expect: true
// Each activation has a variable of its own, and its callee fills it.
static void put(int *out, int n)
{
    int x;
    if (n <= 0) {
        *out = 0;
        return;
    }
    put(&x, n - 1);
    *out = x + 1;
}
int main(void)
{
    int r;
    put(&r, 5);
    return r;
}
