// expect: false
// property: valid-deref
// The address of a local variable is returned.

static int *get(void)
{
    int x = 3;
    int *p = &x;
    return p;
}
int main(void)
{
    return *get() == 7;
}
