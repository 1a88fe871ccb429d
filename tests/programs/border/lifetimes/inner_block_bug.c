// expect: false
// property: valid-deref
// The variable of an inner block is used after it.

int main(void)
{
    int *p, r = 1;
    {
        int x = 4;
        p = &x;
    }
    r = *p;
    return r;
}
