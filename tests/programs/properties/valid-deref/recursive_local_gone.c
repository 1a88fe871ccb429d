// expect: false
// The variable of an activation that has ended.
static int *deepest(int n)
{
    int x = n;
    int *p = &x;
    if (n > 0)
        p = deepest(n - 1);
    return p;
}
int main(void)
{
    int *p = deepest(3);
    return *p; // bad
}
