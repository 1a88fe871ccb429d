// expect: true
// property: valid-deref
// The address of a variable that is gone comes back as an argument.
static int *call(int *last)
{
    int a = 0;
    int *own = &a;
    return own;
}

int main(void)
{
    int *p = 0;
    for (int i = 0; i < 2; i++)
        p = call(p);
    return 0;
}
