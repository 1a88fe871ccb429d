// expect: true
// property: valid-deref
// The address of a static variable is returned.

static int *get(void)
{
    static int x = 3;
    int *p = &x;
    return p;
}
int main(void)
{
    return *get() == 7;
}
